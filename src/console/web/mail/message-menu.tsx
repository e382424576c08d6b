import { Download, Ellipsis, Link2, Lock, Trash2, Users } from 'lucide'
import { useState } from 'preact/hooks'
import { download, patch, remove } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { saveFile } from '../data/save-file.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { notify } from '../parts/notes.tsx'
import { session } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { nameOf } from './mail-people.tsx'
import { MessageReferences } from './message-references.tsx'

interface MessageMenuProps {
  message: Row
  onChanged: () => void
}

/** What can be done with a message. */
export function MessageMenu({ message, onChanged }: MessageMenuProps) {
  const [isLinking, setLinking] = useState(false)
  const path = `/api-v1-messages/${message.id}`
  const label = t('Actions for the mail from {name}', { name: nameOf(message.from) })
  const isTeam = message.audience === 'team'
  // Without users, the server says why nobody could be its audience.
  const isOwn = message.user_ids.length === 0 || message.user_ids.includes(session.value!.user.id)
  const trying = (run: () => Promise<void>) => run().catch((error) => notify(t('Not done: {message}', error)))
  const change = async () => {
    const saved = await patch<Row>(path, { audience: isTeam ? 'participants' : 'team' })
    notifyChange(isTeam ? t('Only the people on the mail see it now.') : t('The team sees it now.'), saved)
    onChanged()
  }
  const destroy = async () => {
    notifyChange(t('Mail deleted.'), await remove(path))
    onChanged()
  }
  const save = async () => saveFile(await download(`${path}/original`, 'message/rfc822'), 'message.eml')
  return (
    <>
      <Menu label={label} title={label} icon={Ellipsis} looks="quiet small">
        {(close) => {
          const closing = (act: () => unknown) => () => {
            close()
            act()
          }
          return (
            <>
              {isOwn && message.status !== 'held' && (
                <button type="button" onClick={closing(() => trying(change))}>
                  <Icon of={isTeam ? Lock : Users} />{' '}
                  {isTeam ? t('Show only to the people on it') : t('Show to the team')}
                </button>
              )}
              <button type="button" onClick={closing(() => setLinking(true))}>
                <Icon of={Link2} /> {t('Deal, organization, contacts …')}
              </button>
              <button type="button" onClick={closing(() => trying(save))}>
                <Icon of={Download} /> {t('Original')}
              </button>
              <button type="button" class="danger" onClick={closing(() => trying(destroy))}>
                <Icon of={Trash2} /> {t('Delete')}
              </button>
            </>
          )
        }}
      </Menu>
      {isLinking && (
        <MessageReferences
          id={message.id}
          onClose={() => setLinking(false)}
          onSaved={() => {
            setLinking(false)
            onChanged()
          }}
        />
      )}
    </>
  )
}
