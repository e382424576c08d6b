import { useState } from 'preact/hooks'
import { download } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { environmentOf, onServer } from '../session/place.ts'
import { t } from '../text/texts.ts'
import { subjectText } from './mail-people.tsx'

/**
 * The HTML of a message, in a frame without scripts and without access to Kontor. Remote pictures tell their sender that the mail is read:
 * they are loaded when the user asks for them, which nothing remembers.
 */
export function FormattedMail({ message: { id, subject } }: { message: Row }) {
  const [showsRemote, setShowsRemote] = useState(false)
  const loaded = useData(async () => (await download(`/api-v1-messages/${id}/html`, 'text/html')).text(), [id])
  if (loaded.data === undefined) return <LoadingOrError of={loaded} />
  const hasRemote = /<img [^>]*data-remote-src=/.test(loaded.data)
  const address = onServer(`/console/message-frame/${environmentOf(location.pathname)}/${id}`)
  return (
    <>
      {hasRemote && !showsRemote && (
        <div class="notice">
          <span class="grow">
            {t('Pictures from other servers are not loaded: they tell the sender that you read this.')}
          </span>
          <button type="button" class="button small" onClick={() => setShowsRemote(true)}>
            {t('Show remote pictures')}
          </button>
        </div>
      )}
      <iframe
        key={String(showsRemote)}
        class="mail-frame"
        title={t('Mail: {subject}', { subject: subjectText(subject) })}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerpolicy="no-referrer"
        src={showsRemote ? `${address}?remote=1` : address}
      />
    </>
  )
}
