import { Pencil, Send, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { patch, post, remove } from '../data/http.ts'
import { usePlace } from '../data/use-place.ts'
import { ask } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../parts/notes.tsx'
import { showSecret } from '../parts/secret.tsx'
import { single } from '../parts/single-click.ts'
import { href } from '../session/place.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { noteOwnChange, type Webhook, webhooksPath } from './webhook.ts'
import { Replay, RotateSecret } from './webhook-dialogs.tsx'
import { WebhookForm } from './webhook-form.tsx'

interface ActionsProps {
  of: Webhook
  /** Whether it has been deleted since: only what is open stays. */
  gone: boolean
  onChanged: () => void
  /** Something was queued for delivery. */
  onQueued: () => void
}

/** What can be done with a webhook. */
export function WebhookActions({ of, gone, onChanged, onQueued }: ActionsProps) {
  const { route } = usePlace()
  const [open, setOpen] = useState<'edit' | 'rotate' | 'replay'>()
  const path = `${webhooksPath}/${of.id}`
  const close = () => setOpen(undefined)
  const changed = () => {
    noteOwnChange()
    onChanged()
  }
  const activate = async (is_active: boolean) => {
    notifyChange(is_active ? t('Webhook enabled.') : t('Webhook disabled.'), await patch(path, { is_active }))
    changed()
    if (is_active) onQueued()
  }
  const ping = async () => {
    await post(`${path}/ping`)
    notify(t('Ping sent.'))
    onQueued()
  }
  const tell = (error: Error) => notify(error.message)
  return (
    <div class="row">
      {!gone && (
        <>
          <button type="button" class="button" onClick={() => setOpen('edit')}>
            <Icon of={Pencil} /> {t('Edit')}
          </button>
          {of.is_active ? (
            <>
              <button type="button" class="button" onClick={single(() => void ping().catch(tell))}>
                <Icon of={Send} /> {t('Ping')}
              </button>
              <button type="button" class="button" onClick={() => setOpen('replay')}>
                {t('Replay…')}
              </button>
            </>
          ) : (
            <button type="button" class="button primary" onClick={() => activate(true).catch(tell)}>
              {t('Enable')}
            </button>
          )}
          <button type="button" class="button" onClick={() => setOpen('rotate')}>
            {t('Rotate secret…')}
          </button>
          {of.is_active && (
            <button type="button" class="button" onClick={() => askToDisable(() => activate(false))}>
              {t('Disable')}
            </button>
          )}
          <button
            type="button"
            class="button danger"
            onClick={() =>
              askToDelete(async () => {
                notifyChange(t('Webhook deleted.'), await remove(path))
                noteOwnChange()
                route(href('/webhooks'), true) // the Back button must not lead to the deleted webhook
              })
            }
          >
            <Icon of={Trash2} /> {t('Delete')}
          </button>
        </>
      )}
      {open === 'edit' && (
        <WebhookForm
          webhook={of}
          onClose={close}
          onSaved={() => {
            close()
            onChanged()
          }}
        />
      )}
      {open === 'replay' && (
        <Replay
          of={of}
          onClose={close}
          onQueued={() => {
            close()
            onQueued()
          }}
        />
      )}
      {open === 'rotate' && (
        <RotateSecret
          of={of}
          onClose={close}
          onRotated={(rotated) => {
            close()
            showSecret({
              title: t('The new secret'),
              stored: t('The receiver verifies signatures with it.'),
              text: rotated,
            })
          }}
        />
      )}
    </div>
  )
}

function askToDisable(run: () => Promise<unknown>): void {
  ask({
    title: t('Disable this webhook?'),
    body: t(
      'Nothing is delivered until you enable it again. It then continues where it stopped, as far as the log goes back.',
    ),
    verb: t('Disable'),
    run,
  })
}

function askToDelete(run: () => Promise<unknown>): void {
  ask({
    title: t('Delete this webhook?'),
    body: t('Nothing is delivered any more. It can be restored from the trash.'),
    verb: t('Delete'),
    run,
  })
}
