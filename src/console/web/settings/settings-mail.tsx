import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { MailDoors } from '../../mail.ts'
import { get } from '../data/http.ts'
import { useData } from '../data/use-data.ts'
import { Card } from '../parts/card.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { T } from '../parts/rich-text.tsx'
import { href } from '../session/place.ts'
import { isAdmin } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { IgnoredSenders } from './ignored-senders.tsx'
import { MailAddresses } from './mail-addresses.tsx'
import { LastDeliveries } from './mail-deliveries.tsx'
import { MailLog } from './mail-log.tsx'
import { Mailboxes } from './mailboxes.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { settingsSections } from './settings-sections.ts'

/** The ways by which mail gets in, and what has come. A member of a company without mail has the account instead. */
export function MailSettings() {
  const { route } = useLocation()
  const isOffered = settingsSections().some(({ name }) => name === 'mail')
  useEffect(() => {
    if (!isOffered) route(href('/settings/account'), true)
  }, [isOffered])
  if (!isOffered) return null
  return (
    <SettingsFrame current="mail">
      <Content />
    </SettingsFrame>
  )
}

function Content() {
  const loaded = useData((signal) => get<MailDoors | null>('/console/mail-doors', signal), [])
  if (loaded.data === undefined || loaded.error) return <LoadingOrError of={loaded} />
  return (
    <>
      {isAdmin() && <Doors of={loaded.data} />}
      {loaded.data?.domain && <MailAddresses />}
      {loaded.data && !loaded.data.isKeyOnly && <Mailboxes />}
      <IgnoredSenders />
      <MailLog />
    </>
  )
}

function Doors({ of: doors }: { of: MailDoors | null }) {
  return (
    <Card label={t('Doors for mail')}>
      <div class="body stack">
        {doors === null ? <Nowhere /> : doors.domain === null ? <WithoutDomain /> : <Configured of={doors} />}
        <p class="muted small">
          <T text="{page} says how to open each door." page={<code>docs/mail.md</code>} />
        </p>
      </div>
    </Card>
  )
}

function Nowhere() {
  return (
    <p>
      <T
        text="This server takes no mail: it shares a log with others, and its operator has not set {setting}."
        setting={<code>KONTOR_FILES</code>}
      />
    </p>
  )
}

function WithoutDomain() {
  return (
    <p>
      <T
        text="This server has no addresses for mail. Its operator sets {setting} to a domain that nothing else uses, such as {example}, and starts it again. Mailboxes work without it."
        setting={<code>KONTOR_MAIL_DOMAIN</code>}
        example={<code>in.example.com</code>}
      />
    </p>
  )
}

function Configured({ of: { domain, smtp, isKeyOnly } }: { of: MailDoors }) {
  return (
    <>
      <dl class="facts">
        <dt>{t('Domain of the addresses')}</dt>
        <dd>{domain}</dd>
        {isKeyOnly ? <KeyDoor /> : <Open smtp={smtp} />}
      </dl>
      <LastDeliveries />
    </>
  )
}

function KeyDoor() {
  return (
    <>
      <dt>HTTP</dt>
      <dd>
        <T
          text="With a key, at {path}. A sandbox has no other doors and reads no mailboxes."
          path={<code>/api-v1-messages</code>}
        />
      </dd>
    </>
  )
}

function Open({ smtp }: { smtp: boolean }) {
  return (
    <>
      <dt>SMTP</dt>
      <dd>
        {smtp ? (
          t('Open')
        ) : (
          <T text="Closed: the operator opens it with {setting}" setting={<code>KONTOR_SMTP_LISTEN</code>} />
        )}
      </dd>
      <dt>HTTP</dt>
      <dd>
        <T text="Open, at {path}" path={<code>/mail/in</code>} />
      </dd>
    </>
  )
}
