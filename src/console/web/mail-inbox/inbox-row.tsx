import { CheckCheck, FolderInput, MailX, Paperclip, ShieldQuestionMark, UserPlus } from 'lucide'
import { useState } from 'preact/hooks'
import { useNames } from '../data/record-names.ts'
import { useAttempt } from '../data/use-attempt.ts'
import { nameOf, subjectText } from '../mail/mail-people.tsx'
import { release } from '../mail/release.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { T } from '../parts/rich-text.tsx'
import { single } from '../parts/single-click.ts'
import { Moment } from '../parts/value.tsx'
import { href } from '../session/place.ts'
import { sizeText } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { AddTo } from './add-to.tsx'
import { discard, outsiderOf, type Waiting } from './inbox-message.ts'
import { NewContact } from './new-contact.tsx'

interface InboxRowProps {
  of: Waiting
  /** The messages of the page, itself included. */
  among: readonly Waiting[]
  onDecided: () => void
}

/** A message that waits, and what can be done with it. */
export function InboxRow({ of, among, onDecided }: InboxRowProps) {
  const { busy, error, attempt } = useAttempt()
  const [open, setOpen] = useState<'contact' | 'add'>()
  const close = () => setOpen(undefined)
  const done = () => {
    close()
    onDecided()
  }
  const run = (action: (message: Waiting) => Promise<void>) =>
    attempt(async () => {
      await action(of)
      onDecided()
    })
  return (
    <li class="wraps" aria-busy={busy}>
      <div class="grow stack tight">
        <Head of={of} />
        <p class="muted">{excerptOf(of.text)}</p>
        <Attachments of={of} />
        <Why of={of} />
        <ErrorNotice error={error} />
      </div>
      <div class="row">
        {of.status === 'held' ? (
          <button
            type="button"
            class="button small primary"
            aria-label={t('Release {subject}', { subject: subjectText(of.subject) })}
            aria-disabled={busy}
            onClick={single(() => void run(release))}
          >
            <Icon of={CheckCheck} /> {t('Release')}
          </button>
        ) : (
          <Assign of={of} busy={busy} onOpen={setOpen} />
        )}
        <button
          type="button"
          class="button small"
          aria-label={t('Not for Kontor: {subject}', { subject: subjectText(of.subject) })}
          aria-disabled={busy}
          onClick={single(() => void run(discard))}
        >
          <Icon of={MailX} /> {t('Not for Kontor')}
        </button>
      </div>
      {open === 'contact' && <NewContact of={of} among={among} onClose={close} onSaved={done} />}
      {open === 'add' && <AddTo of={of} onClose={close} onSaved={done} />}
    </li>
  )
}

interface AssignProps {
  of: Waiting
  busy: boolean
  onOpen: (form: 'contact' | 'add') => void
}

function Assign({ of, busy, onOpen }: AssignProps) {
  const subject = subjectText(of.subject)
  return (
    <>
      <button
        type="button"
        class="button small primary"
        aria-label={t('Create contact: {subject}', { subject })}
        aria-disabled={busy}
        onClick={() => onOpen('contact')}
      >
        <Icon of={UserPlus} /> {t('Create contact')}
      </button>
      <button
        type="button"
        class="button small"
        aria-label={t('Add to…: {subject}', { subject })}
        aria-disabled={busy}
        onClick={() => onOpen('add')}
      >
        <Icon of={FolderInput} /> {t('Add to…')}
      </button>
    </>
  )
}

function Head({ of }: { of: Waiting }) {
  const { id, from, received_at, direction } = of
  const to = direction === 'outbound' ? outsiderOf(of) : undefined
  return (
    <>
      <div class="row apart">
        <span>
          <strong dir="auto">{nameOf(from)}</strong> {from?.name && <span class="muted">{from.address}</span>}
          {to && (
            <span class="muted">
              {' '}
              <T text="to {address}" address={to.address} />
            </span>
          )}
        </span>
        <span class="muted small">
          <Moment at={received_at} />
        </span>
      </div>
      <a href={href(`/messages/${id}`)} dir="auto">
        {subjectText(of.subject)}
      </a>
    </>
  )
}

function Attachments({ of: { files } }: { of: Waiting }) {
  if (files.length === 0) return null
  return (
    <p class="muted small attachments">
      <Icon of={Paperclip} /> {files.map(({ name, bytes }) => `${name} (${sizeText(bytes)})`).join(', ')}
    </p>
  )
}

/** Why it is held, where it may belong, and who sees it, in words. */
function Why({ of }: { of: Waiting }) {
  const { status, audience, suggested_organization_id: suggested } = of
  const name = useNames(suggested ? 'organization' : undefined, suggested ?? '')
  if (status === 'held') {
    return (
      <div class="notice">
        <Icon of={ShieldQuestionMark} />
        <span>
          {t(
            'Held: it says that a colleague has sent it, but neither DKIM nor SPF proves that. Only this colleague, the owner of the address and admins see it until one of them releases it.',
          )}
        </span>
      </div>
    )
  }
  return (
    <>
      {suggested && name && (
        <p class="small">
          <T
            text="The domain is that of {organization}."
            organization={<a href={href(`/organizations/${suggested}`)}>{name}</a>}
          />
        </p>
      )}
      {audience === 'participants' && (
        <p class="muted small">{t('Only the users who sent or received it see this message.')}</p>
      )}
    </>
  )
}

const excerptMax = 220

/** The first words of a text, in one line. */
function excerptOf(text: string): string {
  const line = text
    .slice(0, 4 * excerptMax)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > excerptMax ? `${line.slice(0, excerptMax).replace(/\s\S*$/, '')} …` : line
}
