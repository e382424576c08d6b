import type { CalendarFeed } from '../../../access/calendar-feed.ts'
import { get, post, remove } from '../data/http.ts'
import { useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import { Card } from '../parts/card.tsx'
import { ask } from '../parts/dialog.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { notify } from '../parts/notes.tsx'
import { T } from '../parts/rich-text.tsx'
import { showSecret } from '../parts/secret.tsx'
import { single } from '../parts/single-click.ts'
import { Moment } from '../parts/value.tsx'
import { onServer } from '../session/place.ts'
import { t } from '../text/texts.ts'

const path = '/console/calendar'

/** The address at which programs for calendars read the user's tasks. It is shown only when it is created. */
export function CalendarSettings() {
  const loaded = useData((signal) => get<CalendarFeed | null>(path, signal), [])
  useReturn(loaded.refresh)
  const create = async () => {
    try {
      const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      const made = await post<{ path: string }>(path, { time_zone })
      showSecret({
        title: t('Your calendar’s address'),
        stored: t(
          'Paste it in your calendar program, where it subscribes to calendars. Kontor stores only a hash of it.',
        ),
        text: new URL(onServer(made.path), location.origin).href,
      })
      loaded.reload()
    } catch (error) {
      notify((error as Error).message)
    }
  }
  const feed = loaded.data
  return (
    <Card label={t('Calendar')}>
      <div class="body stack">
        <p>
          {t(
            'A calendar program can show your open tasks with their due dates. It needs a secret address: whoever knows it can read these tasks.',
          )}
        </p>
        {feed === undefined || loaded.error ? (
          <LoadingOrError of={loaded} />
        ) : (
          <Address of={feed} onCreate={create} onRevoked={loaded.reload} />
        )}
      </div>
    </Card>
  )
}

interface AddressProps {
  of: CalendarFeed | null
  onCreate: () => Promise<void>
  onRevoked: () => void
}

function Address({ of: feed, onCreate, onRevoked }: AddressProps) {
  if (!feed) {
    return (
      <div class="row">
        <button type="button" class="button" onClick={single(() => void onCreate())}>
          {t('Create address')}
        </button>
      </div>
    )
  }
  const replace = () =>
    ask({
      title: t('Replace the address of your calendar?'),
      body: t('The present address stops working at once. Paste the new one in your calendar program.'),
      verb: t('Replace'),
      run: onCreate,
    })
  const revoke = () =>
    ask({
      title: t('Revoke the address of your calendar?'),
      body: t('Your calendar program no longer gets your tasks.'),
      verb: t('Revoke'),
      async run() {
        await remove(path)
        notify(t('The address no longer works.'))
        onRevoked()
      },
    })
  return (
    <div class="row apart">
      <p class="muted">
        <T
          text="Address created {time}, days as in {zone}"
          time={<Moment at={feed.created_at} />}
          zone={feed.time_zone}
        />
      </p>
      <div class="row">
        <button type="button" class="button" onClick={replace}>
          {t('Replace')}
        </button>
        <button type="button" class="button danger" onClick={revoke}>
          {t('Revoke')}
        </button>
      </div>
    </div>
  )
}
