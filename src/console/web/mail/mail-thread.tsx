import { Mail, Paperclip } from 'lucide'
import { useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/value.tsx'
import { counted, t } from '../text/texts.ts'
import { ThreadMessages } from './lazy-thread-messages.ts'
import { audienceText, Marks, nameOf, subjectText } from './mail-people.tsx'
import type { Thread } from './threads-of-record.ts'

interface MailThreadProps {
  thread: Thread
  /** How many messages it has; undefined until that is known. */
  count: number | undefined
  onChanged: () => void
}

/** A conversation by mail in the timeline of a record. It unfolds to its messages. */
export function MailThread({ thread, count = thread.messages.length, onChanged }: MailThreadProps) {
  const [isOpen, setOpen] = useState(false)
  const [newest, ...older] = thread.messages
  const files = thread.messages.reduce((sum, { files }) => sum + files.length, 0)
  const seenBy = audienceText(newest)
  const isMixed = older.some((each) => audienceText(each) !== seenBy)
  return (
    <li>
      <span class="mark">
        <Icon of={Mail} />
      </span>
      <details class="thread" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <strong>{subjectText(newest.subject)}</strong>{' '}
          {count > 1 && <span class="badge number">{counted('{n} message|{n} messages', count)}</span>}{' '}
          {!isOpen && <Marks message={newest} />}
          <span class="wide muted small">
            {nameOf(newest.from)} · <Moment at={newest.received_at} /> · {seenBy}
            {isMixed && ` ${t('(older ones differ)')}`}
            {files > 0 && (
              <>
                {' · '}
                <Icon of={Paperclip} /> {counted('{n} attachment|{n} attachments', files)}
              </>
            )}
          </span>
        </summary>
        {isOpen && <ThreadMessages id={thread.id} onChanged={onChanged} />}
      </details>
    </li>
  )
}
