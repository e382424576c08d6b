import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { onceShown } from '../data/busy.ts'
import { isChoice } from '../data/choice.ts'
import { post } from '../data/http.ts'
import { tellOwn } from '../data/news.ts'
import type { Once } from '../data/once.ts'
import { type Row, referenceTo } from '../data/resource-views.ts'
import { FieldInput } from '../forms/field-input.tsx'
import { Field, Form } from '../forms/form.tsx'
import { useDiscardQuestion } from '../forms/form-dialog.tsx'
import { type FormState, useForm } from '../forms/use-form.ts'
import { notify } from '../parts/notes.tsx'
import { Segments } from '../parts/segments.tsx'
import { readDraft, saveDraft } from '../session/drafts.ts'
import { environmentOf } from '../session/place.ts'
import { fieldOf, session } from '../session/session.ts'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { referencesOf } from './references.ts'
import { Stars } from './stars.tsx'
import { useKeyboardInset } from './use-keyboard-inset.ts'

interface ComposerProps {
  of: string
  row: Row
  onLogged: () => void
}

/** What the composer can create next to the types of activities. */
const task = 'task'

const blank = {
  ...{ type: 'note', subject: '', description: '', rating: 3, due_date: null as unknown },
  /** Undefined: the user. */
  assigned_to: undefined as unknown,
}

type Entry = typeof blank

const verbs: Readonly<Record<string, string>> = {
  call: t('Log call'),
  email: t('Log email'),
  meeting: t('Log meeting'),
  note: t('Log note'),
  rating: t('Log rating'),
  task: t('Add task'),
}

/** A line that opens to log an activity or to add a task. Its text is stored for each record until it is sent. */
export function Composer({ of, row, onLogged }: ComposerProps) {
  const draft = `${environmentOf(location.pathname)}.${of}.${row.id}`
  const box = useRef<HTMLDivElement>(null)
  const { isOpen, open, close } = useOpen(box)
  const form = useForm<Entry, Row>({
    initial: { ...blank, ...readDraft<Entry>(draft) },
    save: (entry, _, once) => (entry.type === task ? addTask(entry, of, row, once) : log(entry, of, row, once)),
    onSaved(saved) {
      const isTask = form.values.type === task
      if (isTask) notifyChange(t('Task added.'), saved)
      else {
        notify(t('Activity logged.'))
        onLogged()
      }
      tellOwn(isTask ? task : 'activity', saved.id)
      form.set({ ...blank, type: form.values.type })
      close()
    },
    onLate(logged) {
      if (!(logged instanceof Error))
        return notify(sent.current.type === task ? t('Task added.') : t('Activity logged.'))
      notify(
        t('Not logged: {message} The text was: {subject} {description}', {
          message: logged.message,
          subject: sent.current.subject,
          description: sent.current.description,
        }),
      )
      if (!readDraft(draft)) saveDraft(draft, sent.current)
    },
  })
  const sent = useRef(form.values)
  const isBusy = useRef(false)
  sent.current = form.values
  isBusy.current = form.busy
  // Once it is being sent it is no longer a draft: a user who comes back before the response must not send it again.
  useEffect(() => () => void (isBusy.current && saveDraft(draft, undefined)), [])
  const { subject, description } = form.values
  const isBlank = subject === '' && description === ''
  const [isStored, setStored] = useState(true)
  useEffect(() => {
    setStored(saveDraft(draft, isBlank ? undefined : storable(form.values)) || isBlank)
  }, [form.values])
  useDiscardQuestion({ busy: form.busy, isChanged: !isStored })
  useKeyboardInset(box)
  return (
    <div ref={box} class={isOpen ? 'composer open' : 'composer'}>
      <Form
        of={form}
        label={t('Log an activity')}
        verb={verbs[form.values.type] ?? t('Log')}
        {...(isOpen && { other: { label: t('Close'), onClick: close } })}
      >
        <Line {...{ form, isOpen, open }} />
        {isOpen && <More form={form} hasTasks={referenceTo(of, task) !== undefined} />}
        {isOpen && (
          <div role="status" class="small muted">
            {!isStored && t('The browser’s storage is full: the draft is lost when you leave the page.')}
          </div>
        )}
      </Form>
    </div>
  )
}

/** Whether the composer is open. The focus on its line opens it; closing it, also with Escape, leaves the focus there. */
function useOpen(box: { current: HTMLDivElement | null }) {
  const [isOpen, setOpen] = useState(false)
  const isClosing = useRef(false)
  const close = () => {
    setOpen(false)
    onceShown(() => {
      isClosing.current = true
      box.current?.querySelector('input')?.focus()
      isClosing.current = false
    })
  }
  useLayoutEffect(() => {
    const press = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && isOpen && !defaultPrevented) close()
    }
    const composer = box.current!
    composer.addEventListener('keydown', press)
    return () => composer.removeEventListener('keydown', press)
  }, [isOpen])
  return { isOpen, open: () => setOpen(isOpen || !isClosing.current), close }
}

interface LineProps {
  form: FormState<Entry>
  isOpen: boolean
  open: () => void
}

function Line({ form, isOpen, open }: LineProps) {
  const { type, subject, description } = form.values
  const [label, field] = type === task ? [t('Title'), 'title'] : [t('Subject'), 'subject']
  const invitation =
    description === '' ? t('Write a note, log a call, add a task…') : t('Draft: {description}', { description })
  return (
    <Field label={label} hidesLabel fault={form.fault(field)}>
      {(wiring) => (
        <input
          {...wiring}
          type="text"
          autoComplete="off"
          placeholder={isOpen ? label : invitation}
          value={subject}
          onFocus={open}
          onClick={open}
          onInput={(event) => {
            open()
            form.set({ subject: event.currentTarget.value })
          }}
        />
      )}
    </Field>
  )
}

function More({ form, hasTasks }: { form: FormState<Entry>; hasTasks: boolean }) {
  const { type, description, rating } = form.values
  const types = [...fieldOf('activity', 'type').options!, ...(hasTasks ? [task] : [])]
  return (
    <>
      <Field label={type === task ? t('Details') : t('What happened')} fault={form.fault('description')} optional>
        {(wiring) => (
          <textarea
            {...wiring}
            value={description}
            onInput={(event) => form.set({ description: event.currentTarget.value })}
          />
        )}
      </Field>
      {type === 'rating' && <Stars rating={rating} setRating={(each) => form.set({ rating: each })} />}
      {type === task && <TaskFields form={form} />}
      <Segments label={t('Type')}>
        {types.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === type}
            onClick={() => form.set({ type: each, due_date: null, assigned_to: undefined })}
          >
            {word(each)}
          </button>
        ))}
      </Segments>
    </>
  )
}

/** When a task is due, and whose it is. */
function TaskFields({ form }: { form: FormState<Entry> }) {
  const { id, full_name } = session.value!.user
  const { value = { id, label: full_name }, ...input } = form.field('assigned_to')
  return (
    <>
      <FieldInput field={fieldOf(task, 'due_date')} {...form.field('due_date')} />
      <FieldInput field={fieldOf(task, 'assigned_to')} value={value} {...input} />
    </>
  )
}

function log({ type, subject, description, rating }: Entry, of: string, row: Row, once: Once): Promise<Row> {
  const body = {
    type,
    subject: subject || (type === 'rating' ? t('{rating} of 5 stars', { rating }) : null),
    description,
    ...(type === 'rating' && { metadata: { rating } }),
    ...referencesOf('activity', of, row),
  }
  return post('/api-v1-activities', body, once)
}

function addTask(
  { subject, description, due_date, assigned_to: chosen }: Entry,
  of: string,
  row: Row,
  once: Once,
): Promise<Row> {
  const body = {
    title: subject,
    description: description || null,
    due_date,
    assigned_to: chosen === undefined ? session.value!.user.id : isChoice(chosen) ? chosen.id : null,
    ...referencesOf(task, of, row),
  }
  return post('/api-v1-tasks', body, once)
}

/** A draft without a date that is not complete. */
function storable(entry: Entry): Entry {
  return { ...entry, due_date: typeof entry.due_date === 'string' ? entry.due_date : null }
}
