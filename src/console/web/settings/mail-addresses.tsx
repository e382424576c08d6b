import { Plus, RefreshCw, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { post, remove } from '../data/http.ts'
import { refreshDescription } from '../data/load-session.ts'
import { useNews } from '../data/news.ts'
import { useNames } from '../data/record-names.ts'
import type { Row } from '../data/resource-views.ts'
import { usePages } from '../data/use-pages.ts'
import { FieldInput } from '../forms/field-input.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { Card } from '../parts/card.tsx'
import { ask } from '../parts/dialog.tsx'
import { WhenLoaded } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../parts/notes.tsx'
import { Pager } from '../parts/pager.tsx'
import { T } from '../parts/rich-text.tsx'
import { Secret } from '../parts/secret.tsx'
import { Moment } from '../parts/value.tsx'
import { href } from '../session/place.ts'
import { fieldOf, isAdmin, session } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { arrivingText, audienceHint } from './arriving-mail.ts'

const path = '/api-v1-mail-addresses'
const pageSize = 10

/** The addresses at which the server takes mail for this workspace. */
export function MailAddresses() {
  const [page, setPage] = useState(1)
  const [creating, setCreating] = useState(false)
  const loaded = usePages<Row>(path, { sort: 'created_at', limit: pageSize, page }, setPage)
  useNews(({ resource }) => resource === 'mail_address', loaded.refresh)
  const close = () => setCreating(false)
  const saved = () => {
    close()
    loaded.reload()
    void refreshDescription()
  }
  return (
    <Card
      label={t('Addresses')}
      beside={
        <button type="button" class="button small" onClick={() => setCreating(true)}>
          <Icon of={Plus} /> {t('New address')}
        </button>
      }
    >
      <p class="body muted">
        {t(
          'Put an address in BCC, or forward mail to it. Whoever knows an address can send mail to it; nobody can guess one.',
        )}
      </p>
      <WhenLoaded loaded={loaded}>
        <ul class="list">
          {loaded.data?.data.map((each) => (
            <Address key={each.id} of={each} onChanged={loaded.reload} />
          ))}
        </ul>
        {loaded.data && loaded.data.pagination.total > pageSize && (
          <Pager of={loaded.data.pagination} at={page} onPage={setPage} />
        )}
      </WhenLoaded>
      {creating && <NewAddress onClose={close} onSaved={saved} />}
    </Card>
  )
}

function Address({ of, onChanged }: { of: Row; onChanged: () => void }) {
  const { id, address, audience, last_message_at, user_id, kind } = of
  const mayChange = kind !== 'user' || user_id === session.value!.user.id || isAdmin()
  const replace = () =>
    ask({
      title: t('Replace this address?'),
      body: t('Mail to {address} is refused from now on. Give the new address to everybody who used it.', { address }),
      verb: t('Replace'),
      async run() {
        await post(`${path}/${id}/rotate`)
        notify(t('The address is replaced.'))
        onChanged()
      },
    })
  const erase = () =>
    ask({
      title: t('Delete this address?'),
      body: t('Mail to {address} is refused from now on. What has arrived stays.', { address }),
      verb: t('Delete'),
      async run() {
        notifyChange(t('Address deleted.'), await remove(`${path}/${id}`))
        onChanged()
      },
    })
  return (
    <li class="wraps">
      <div class="grow stack tight">
        <strong>
          <Owner of={of} />
        </strong>
        <Secret text={address} />
        <div class="muted small">
          {arrivingText(audience)} ·{' '}
          {last_message_at ? <T text="Last mail {time}" time={<Moment at={last_message_at} />} /> : t('No mail yet')}
        </div>
      </div>
      {mayChange && (
        <div class="row">
          <button type="button" class="button small" aria-label={t('Replace {address}', { address })} onClick={replace}>
            <Icon of={RefreshCw} /> {t('Replace')}
          </button>
          <button
            type="button"
            class="button small danger"
            aria-label={t('Delete {name}', { name: address })}
            onClick={erase}
          >
            <Icon of={Trash2} /> {t('Delete')}
          </button>
        </div>
      )}
    </li>
  )
}

/** Of whom or what an address is. */
function Owner({ of: { kind, user_id, deal_id } }: { of: Row }) {
  const user = useNames(kind === 'user' ? 'user' : undefined, user_id ?? '')
  const deal = useNames(kind === 'deal' ? 'deal' : undefined, deal_id ?? '')
  if (kind === 'company') return <>{t('Of the company')}</>
  if (kind === 'deal') return <T text="Of the deal {deal}" deal={<a href={href(`/deals/${deal_id}`)}>{deal}</a>} />
  if (user_id === session.value!.user.id) return <>{t('Your own')}</>
  return <>{t('Of {name}', { name: user ?? '' })}</>
}

interface Values extends Record<string, unknown> {
  kind: unknown
  audience: unknown
}

/** An address of the company, or the user's own. Addresses of deals are created on the pages of the deals. */
function NewAddress({ onClose, onSaved }: { onClose: () => void; onSaved: () => void }) {
  const form = useForm<Values, Row>({
    initial: { kind: 'company', audience: 'team' },
    save: (values, _, once) => post<Row>(path, values, once),
    onSaved(saved) {
      notifyChange(t('The address is ready.'), saved)
      onSaved()
    },
  })
  const audience = { ...fieldOf('message', 'audience'), label: t('Who sees what arrives') }
  const kind = { ...audience, name: 'kind', label: t('Of whom'), options: ['company', 'user'] }
  return (
    <FormDialog title={t('New address')} small verb={t('Create address')} of={form} onClose={onClose}>
      <FieldInput
        field={kind}
        hint={t('There is one of the company, one of each user, and one of each deal, on its page.')}
        {...form.field('kind')}
      />
      <FieldInput field={audience} hint={audienceHint(form.values.audience)} {...form.field('audience')} />
    </FormDialog>
  )
}
