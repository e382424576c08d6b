import { useState } from 'preact/hooks'
import type { Row } from '../data/resource-views.ts'
import { useAttempt } from '../data/use-attempt.ts'
import { FileButtons } from '../files/file-buttons.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { LinkedText } from '../parts/linked-text.tsx'
import { Moment } from '../parts/value.tsx'
import { sizeText } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { FormattedMail } from './formatted-mail.tsx'
import { audienceText, Marks, mailboxesText, nameOf } from './mail-people.tsx'
import { MessageMenu } from './message-menu.tsx'
import { withoutQuotation } from './quoted-text.ts'
import { release } from './release.ts'

interface MailMessageProps {
  message: Row
  /** Whether it is unfolded at first. */
  isFirst: boolean
  onChanged: () => void
}

/** A message of a thread. */
export function MailMessage({ message, isFirst, onChanged }: MailMessageProps) {
  const [isOpen, setOpen] = useState(isFirst)
  return (
    <details class="mail" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>{nameOf(message.from)}</strong> <Marks message={message} />
        <span class="muted small">
          <Moment at={message.received_at} />
        </span>
        {!isOpen && <span class="wide muted small line">{message.text.slice(0, 200)}</span>}
      </summary>
      {isOpen && <Opened message={message} onChanged={onChanged} />}
    </details>
  )
}

function Opened({ message, onChanged }: Omit<MailMessageProps, 'isFirst'>) {
  const [isFormatted, setFormatted] = useState(false)
  const files: Row[] = message.files
  return (
    <div class="stack tight">
      <div class="mail-head">
        <Head message={message} />
        <MessageMenu message={message} onChanged={onChanged} />
      </div>
      {message.status === 'held' && <Held message={message} onChanged={onChanged} />}
      {isFormatted ? <FormattedMail message={message} /> : <PlainMail text={message.text} />}
      {message.has_html && (
        <div>
          <button
            type="button"
            class="button small"
            aria-pressed={isFormatted}
            onClick={() => setFormatted(!isFormatted)}
          >
            {t('Show with formatting')}
          </button>
        </div>
      )}
      {files.length > 0 && (
        <ul class="list attachments" aria-label={t('Attachments')}>
          {files.map((file) => (
            <li key={file.id} class="wraps">
              <span class="grow">
                {file.name} <span class="muted small">{sizeText(file.bytes)}</span>
              </span>
              <FileButtons file={file} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Head({ message }: { message: Row }) {
  const { from, to, cc } = message
  const lines: [label: string, text: string][] = [
    [t('From:'), from ? mailboxesText([from]) : t('Unknown sender')],
    [t('To:'), mailboxesText(to)],
    [t('Cc:'), mailboxesText(cc)],
  ]
  return (
    <dl class="small">
      {lines.map(([label, text]) =>
        text === '' ? null : (
          <div key={label}>
            <dt class="muted">{label}</dt>
            <dd>{text}</dd>
          </div>
        ),
      )}
      <div>
        <dt class="unseen">{t('Who sees it')}</dt>
        <dd class="muted">{audienceText(message)}</dd>
      </div>
    </dl>
  )
}

function PlainMail({ text }: { text: string }) {
  const { own, quoted } = withoutQuotation(text)
  if (own.trim() === '') return <p class="muted">{t('This mail has no text.')}</p>
  return (
    <>
      <p class="text">
        <LinkedText text={own} />
      </p>
      {quoted !== '' && (
        <details>
          <summary>{t('Show the quoted mail')}</summary>
          <p class="text muted">
            <LinkedText text={quoted} />
          </p>
        </details>
      )}
    </>
  )
}

function Held({ message, onChanged }: Omit<MailMessageProps, 'isFirst'>) {
  const { busy, error, attempt } = useAttempt()
  const run = () => attempt(() => release(message).then(onChanged))
  return (
    <div class="notice warn">
      <div class="grow stack tight">
        <span>
          {t(
            'This mail claims to be from {name}, a colleague, and nothing proves it. Release it only if it is genuine.',
            {
              name: nameOf(message.from),
            },
          )}
        </span>
        <div>
          <button type="button" class="button small" disabled={busy} onClick={run}>
            {t('Release')}
          </button>
        </div>
        <ErrorNotice error={error} />
      </div>
    </div>
  )
}
