import { Pause, Pencil, Play, Plus, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { get, list, patch, remove } from '../data/http.ts'
import { refreshDescription } from '../data/load-session.ts'
import { useNews } from '../data/news.ts'
import { useNames } from '../data/record-names.ts'
import type { Row } from '../data/resource-views.ts'
import { useAttempt } from '../data/use-attempt.ts'
import { useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import { Card } from '../parts/card.tsx'
import { ask } from '../parts/dialog.tsx'
import { ErrorNotice, WhenLoaded } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { T } from '../parts/rich-text.tsx'
import { Moment } from '../parts/value.tsx'
import { session } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { arrivingText } from './arriving-mail.ts'
import { mailboxErrorText } from './mail-outcome.ts'
import { MailboxForm, sourcesPath } from './mailbox-form.tsx'

const sourcesMax = 100

/** The mailboxes that are read. Their state changes without a change in the log, so it is read again when the user returns. */
export function Mailboxes() {
  const [creating, setCreating] = useState(false)
  const loaded = useData((signal) => list<Row>(sourcesPath, { limit: sourcesMax }, signal), [])
  useNews(({ resource }) => resource === 'mail_source' || resource === 'message', loaded.refresh)
  useReturn(loaded.refresh)
  const saved = () => {
    setCreating(false)
    loaded.reload()
    void refreshDescription()
  }
  return (
    <Card
      label={t('Mailboxes')}
      beside={
        <div class="row">
          <button type="button" class="button small" onClick={loaded.reload}>
            {t('Refresh')}
          </button>
          <button type="button" class="button small" onClick={() => setCreating(true)}>
            <Icon of={Plus} /> {t('New mailbox')}
          </button>
        </div>
      }
    >
      <p class="body muted">
        {t('Kontor reads a folder of a mailbox by IMAP, and changes nothing in it. New mail comes within seconds.')}
      </p>
      <WhenLoaded loaded={loaded}>
        <ul class="list">
          {loaded.data?.data.map((each) => (
            <Mailbox key={each.id} of={each} onChanged={loaded.reload} />
          ))}
        </ul>
      </WhenLoaded>
      {creating && <MailboxForm onClose={() => setCreating(false)} onSaved={saved} />}
    </Card>
  )
}

function Mailbox({ of, onChanged }: { of: Row; onChanged: () => void }) {
  const { busy, error, attempt } = useAttempt()
  const [editing, setEditing] = useState<Row>()
  const { id, user, is_active } = of
  const path = `${sourcesPath}/${id}`
  const name = { name: user }
  const edit = async () => setEditing(await get<Row>(path))
  const activate = async () => {
    const text = is_active ? t('Mailbox paused.') : t('The mailbox is read again.')
    notifyChange(text, await patch<Row>(path, { is_active: !is_active }))
    onChanged()
  }
  const erase = () =>
    ask({
      title: t('Delete {name}?', name),
      body: t('The mailbox is not read any more. The messages that came from it stay.'),
      verb: t('Delete'),
      async run() {
        notifyChange(t('Mailbox deleted.'), await remove(path))
        onChanged()
      },
    })
  const close = () => setEditing(undefined)
  return (
    <li class="wraps">
      <div class="grow stack tight">
        <Description of={of} />
        <State of={of} />
        <ErrorNotice error={error} />
      </div>
      <div class="row">
        <button
          type="button"
          class="button small"
          aria-disabled={busy}
          aria-label={t('Edit {name}', name)}
          onClick={() => void attempt(edit)}
        >
          <Icon of={Pencil} /> {t('Edit')}
        </button>
        <button
          type="button"
          class="button small"
          aria-disabled={busy}
          aria-label={is_active ? t('Pause {name}', name) : t('Resume {name}', name)}
          onClick={() => void attempt(activate)}
        >
          <Icon of={is_active ? Pause : Play} /> {is_active ? t('Pause') : t('Resume')}
        </button>
        <button type="button" class="button small danger" aria-label={t('Delete {name}', name)} onClick={erase}>
          <Icon of={Trash2} /> {t('Delete')}
        </button>
      </div>
      {editing && (
        <MailboxForm
          source={editing}
          onClose={close}
          onSaved={() => {
            close()
            onChanged()
          }}
        />
      )}
    </li>
  )
}

function Description({ of: { user, host, folder, user_id, audience } }: { of: Row }) {
  const isOther = user_id !== null && user_id !== session.value!.user.id
  const owner = useNames(isOther ? 'user' : undefined, user_id ?? '')
  const whose = user_id === null ? t('Of the company') : isOther ? t('Of {name}', { name: owner ?? '' }) : t('Your own')
  return (
    <div>
      <strong>{user}</strong>
      <div class="muted small">
        {host} · {folder} · {whose} · {arrivingText(audience)}
      </div>
    </div>
  )
}

/** Whether a mailbox is read, and if not, why and what to do. */
function State({ of: { is_active, last_success_at, last_error, last_error_at } }: { of: Row }) {
  const success = last_success_at && <T text="Last read {time}" time={<Moment at={last_success_at} />} />
  if (!is_active)
    return (
      <p class="small">
        {t('Paused: nothing is read. It continues where it stopped.')} {success}
      </p>
    )
  if (last_error) {
    const { text, advice } = mailboxErrorText(last_error)
    return (
      <div class="notice bad">
        <span>
          <strong>{text}</strong> (<Moment at={last_error_at} />
          ). {advice} {success}
        </span>
      </div>
    )
  }
  return <p class="small">{success ?? t('Not read yet: the first connection is being made.')}</p>
}
