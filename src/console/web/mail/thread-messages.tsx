import { useState } from 'preact/hooks'
import type { Row } from '../data/resource-views.ts'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { Older } from '../parts/older.tsx'
import { MailMessage } from './mail-message.tsx'
import { useThread } from './threads-of-record.ts'

const pageSize = 20

interface ThreadMessagesProps {
  id: string
  /** The id of the message that is unfolded; default: the newest one. */
  shown?: string
  onChanged: () => void
}

/** The messages of a thread, the newest first. */
export function ThreadMessages({ id, shown, onChanged }: ThreadMessagesProps) {
  const [limit, setLimit] = useState(pageSize)
  const loaded = useThread(id, limit)
  const messages: Row[] = loaded.data?.data ?? []
  const changed = () => {
    loaded.reload()
    onChanged()
  }
  return (
    <div class="stack tight">
      {!loaded.data && <LoadingOrError of={loaded} />}
      {messages.map((message, at) => (
        <MailMessage
          key={message.id}
          message={message}
          isFirst={shown === undefined ? at === 0 : message.id === shown}
          onChanged={changed}
        />
      ))}
      <Older of={loaded} hasMore={loaded.data?.pagination.has_more} onMore={() => setLimit(limit + pageSize)} />
    </div>
  )
}
