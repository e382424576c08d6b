import { type Choice, isChoice } from '../data/choice.ts'
import { find, matchedText } from '../data/find.ts'
import type { Values } from '../data/form-merge.ts'
import { get, request } from '../data/http.ts'
import { tell } from '../data/news.ts'
import type { Once } from '../data/once.ts'
import type { Row } from '../data/resource-views.ts'
import { Combobox } from '../forms/combobox.tsx'
import { FieldInput } from '../forms/field-input.tsx'
import { Field, TextField } from '../forms/form.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { notify } from '../parts/notes.tsx'
import { createPart, saveTogether } from '../record-form/save-together.ts'
import { fieldOf, resourceOf, session } from '../session/session.ts'
import { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { openRecord } from './open-record.ts'
import { referencesOf } from './references.ts'

/** The resources of the records that a call may belong to. */
const targets = ['contact', 'organization', 'deal']

/** A call with the record that it belongs to, by default the one whose page is open, and a task that follows from it, in one save. An undo takes the task back. */
export function LogCall({ onClose }: { onClose: () => void }) {
  const { id, full_name } = session.value!.user
  const shown = shownRecord()
  const form = useForm<Values, Row>({
    initial: { record: shown, subject: '', due_date: null, title: '', assigned_to: { id, label: full_name } },
    save: (values, _, once) => save(values, once),
    onSaved(saved) {
      notify(t('Call logged.'))
      if (typeof form.values.due_date === 'string') notifyChange(t('Follow-up added.'), saved)
      tell('unknown')
      onClose()
    },
    onLate: (saved) =>
      notify(
        saved instanceof Error
          ? t('{label} not saved: {message}', { label: t('Log call'), message: saved.message })
          : t('Call logged.'),
      ),
  })
  const { record, due_date } = form.values
  const isReady = record !== null && form.values.subject !== ''
  return (
    <FormDialog title={t('Log call')} verb={t('Log call')} of={form} isReady={isReady} onClose={onClose}>
      <Field
        label={t('Contact, organization or deal')}
        fault={record instanceof Invalid && record.isUrgent ? record.message : undefined}
      >
        {(wiring) => (
          <Combobox
            wiring={wiring}
            value={record as Choice | Invalid | null}
            onValue={(chosen) => form.set({ record: chosen })}
            search={searchRecords}
            noun={t('record')}
          />
        )}
      </Field>
      <TextField
        label={t('What happened')}
        value={String(form.values.subject)}
        autoFocus={shown !== null}
        onValue={(subject) => form.set({ subject })}
        fault={form.fault('subject')}
      />
      <FieldInput field={{ ...fieldOf('task', 'due_date'), label: t('Follow-up') }} {...form.field('due_date')} />
      {typeof due_date === 'string' && (
        <div class="fields">
          <TextField
            label={t('Follow-up task')}
            value={String(form.values.title)}
            onValue={(title) => form.set({ title })}
            fault={form.fault('follow_up')}
            optional
          />
          <FieldInput field={fieldOf('task', 'assigned_to')} {...form.field('assigned_to')} />
        </div>
      )}
    </FormDialog>
  )
}

function shownRecord(): Choice | null {
  const shown = openRecord()
  return shown && targets.includes(shown.of) ? choiceOf(shown) : null
}

/** Its id names the resource, too. */
function choiceOf({ of, id, label }: { of: string; id: string; label: string }): Choice {
  return { id: `${of} ${id}`, label }
}

/** The records that a text fits. */
async function searchRecords(text: string, signal: AbortSignal): Promise<Choice[]> {
  const found = await find(text, { types: targets.join(), limit: '8' }, signal)
  return found.map((each) => ({
    ...choiceOf({ of: each.type, id: each.id, label: each.title }),
    matched: matchedText({ ...each, subtitle: null }) ?? resourceOf(each.type).label,
  }))
}

async function save({ record, subject, due_date, title, assigned_to }: Values, once: Once): Promise<Row> {
  const [of, id] = (record as Choice).id.split(' ') as [string, string]
  const row = await get<Row>(`/${resourceOf(of).path}/${id}`)
  const task = {
    title: title || t('Follow up: {subject}', { subject: String(subject) }),
    due_date,
    assigned_to: isChoice(assigned_to) ? assigned_to.id : null,
  }
  const log = () =>
    request<Row>('POST', '/api-v1-activities', {
      body: { type: 'call', subject, ...referencesOf('activity', of, row) },
      once: `${once}.call`,
    })
  if (typeof due_date !== 'string') return log()
  // Activities are never deleted: the task comes first, and is undone if the call is refused.
  const body = { ...task, ...referencesOf('task', of, row) }
  return saveTogether({
    ...{ of: 'task', values: {}, once },
    save: () => createPart(resourceOf('task').path, body, once, 'follow_up'),
    also: log,
  })
}
