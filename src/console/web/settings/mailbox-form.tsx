import { useRef } from 'preact/hooks'
import { get, patch, post } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { DayInput } from '../forms/day-input.tsx'
import { FieldInput } from '../forms/field-input.tsx'
import { Field, TextField } from '../forms/form.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { type FormState, useForm } from '../forms/use-form.ts'
import { now } from '../session/now.ts'
import { fieldOf, isAdmin, session } from '../session/session.ts'
import { localDay } from '../text/days.ts'
import type { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { audienceHint } from './arriving-mail.ts'

export const sourcesPath = '/api-v1-mail-sources'

interface Values extends Record<string, unknown> {
  host: string
  port: string
  tls: string
  user: string
  password: string
  folder: string
  start: string | Invalid
  audience: unknown
  isOwn: boolean
}

interface MailboxFormProps {
  /** As it was read by its id; absent: a new one is created. */
  source?: Row
  onSaved: () => void
  onClose: () => void
}

/** The usual port of each kind of encryption. */
const ports: Readonly<Record<string, string>> = { implicit: '993', starttls: '143', none: '143' }
/** With another one of these, the password is needed again. */
const needPassword = ['host', 'port', 'tls', 'user'] as const

/** Creates a mailbox that is read, or changes one. */
export function MailboxForm(props: MailboxFormProps) {
  const { source, onClose } = props
  const form = useMailbox(props)
  const { tls, audience, port } = form.values
  const chooseTls = (chosen: string) => form.set({ tls: chosen, ...(port === ports[tls] && { port: ports[chosen]! }) })
  const audienceField = { ...fieldOf('message', 'audience'), label: t('Who sees what arrives') }
  return (
    <FormDialog
      title={source ? t('Edit mailbox') : t('New mailbox')}
      verb={source ? t('Save') : t('Read this mailbox')}
      of={form}
      onClose={onClose}
    >
      <div class="fields">
        <TextField label={t('Host')} hint={t('Such as imap.example.com')} {...form.field('host')} autoFocus />
        <Field label={t('Encryption')} fault={form.fault('tls')}>
          {(wiring) => (
            <select {...wiring} value={tls} onChange={({ currentTarget }) => chooseTls(currentTarget.value)}>
              <option value="implicit">{t('TLS from the start')}</option>
              <option value="starttls">STARTTLS</option>
              <option value="none">{t('None: only for hosts that the operator allows')}</option>
            </select>
          )}
        </Field>
        <TextField label={t('Port')} {...form.field('port')} />
        <TextField label={t('Folder')} hint={t('As the mail server spells it')} {...form.field('folder')} />
        <TextField label={t('User')} hint={t('Usually the address of the mailbox')} {...form.field('user')} />
        <TextField
          label={t('Password')}
          type="password"
          autoComplete="new-password"
          hint={source ? passwordHint(form, source) : t('Stored encrypted, and never shown')}
          {...form.field('password')}
        />
      </div>
      {!source && <Start {...form.field('start')} />}
      <FieldInput field={audienceField} hint={audienceHint(audience)} {...form.field('audience')} />
      {!source && isAdmin() && (
        <label class="check">
          <input
            type="checkbox"
            checked={form.values.isOwn}
            onChange={({ currentTarget }) => form.set({ isOwn: currentTarget.checked })}
          />
          {t('It is my own mailbox, not one of the company')}
        </label>
      )}
    </FormDialog>
  )
}

function passwordHint({ values }: FormState<Values>, source: Row): string {
  const isMoved = needPassword.some((name) => String(values[name]) !== String(source[name]))
  return isMoved ? t('Needed again: it must not go to another server') : t('Leave it empty to keep it')
}

interface StartProps {
  value: string | Invalid
  onValue: (value: string | Invalid) => void
  fault: string | undefined
}

/** Which messages come at first: `now`, `all`, or those since a day. */
function Start({ value, onValue, fault }: StartProps) {
  const kind = value === 'now' || value === 'all' ? value : 'date'
  return (
    <div class="fields">
      <Field label={t('Begin with')} fault={kind === 'date' ? undefined : fault}>
        {(wiring) => (
          <select
            {...wiring}
            value={kind}
            onChange={({ currentTarget }) =>
              onValue(currentTarget.value === 'date' ? localDay(now()) : currentTarget.value)
            }
          >
            <option value="now">{t('What arrives from now on')}</option>
            <option value="date">{t('What has arrived since a day')}</option>
            <option value="all">{t('Everything in the folder')}</option>
          </select>
        )}
      </Field>
      {kind === 'date' && (
        <Field label={t('Since')} fault={fault}>
          {(wiring) => <DayInput {...{ wiring, value }} onValue={(day) => onValue(day ?? '')} />}
        </Field>
      )}
    </div>
  )
}

function useMailbox({ source, onSaved }: MailboxFormProps): FormState<Values> {
  const known = useRef(source)
  return useForm<Values, Row>({
    initial: source ? valuesOf(source) : newValues(),
    faults: ({ start }) => (start === '' ? [{ field: 'start', message: t('Enter a date.'), code: 'REQUIRED' }] : []),
    async save(values, changed, once) {
      const { current } = known
      if (current && Object.keys(changed).length === 0) return current
      if (current) return patch<Row>(`${sourcesPath}/${current.id}`, bodyOf(changed), current)
      const { isOwn, ...given } = values
      return post<Row>(sourcesPath, { ...bodyOf(given), user_id: isOwn ? session.value!.user.id : null }, once)
    },
    onSaved(saved) {
      notifyChange(source ? t('Saved.') : t('The mailbox is being read.'), saved)
      onSaved()
    },
    ...(source && {
      async reread() {
        known.current = await get<Row>(`${sourcesPath}/${source.id}`)
        return valuesOf(known.current)
      },
    }),
  })
}

function newValues(): Values {
  const { email } = session.value!.user
  const empty = { host: '', port: ports.implicit!, tls: 'implicit', password: '', folder: 'INBOX', start: 'now' }
  return { ...empty, user: email, audience: 'participants', isOwn: true }
}

function valuesOf({ host, port, tls, user, folder, start, audience }: Row): Values {
  return { ...{ host, tls, user, folder, start, audience }, port: String(port), password: '', isOwn: true }
}

/** The server says what is missing, which is null. A port that is no number is said there, too. */
function bodyOf({ port, password, isOwn: _, ...rest }: Partial<Values>): Record<string, unknown> {
  const texts = Object.entries(rest).map(([name, value]) => [name, value === '' ? null : value])
  return {
    ...Object.fromEntries(texts),
    ...(port !== undefined && { port: /^\d+$/.test(port.trim()) ? Number(port) : port || null }),
    ...(password !== undefined && password !== '' && { password }),
  }
}
