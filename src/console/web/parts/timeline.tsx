import { Mail, MessagesSquare, NotebookPen, Phone, Star, Users } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { readDraft, saveDraft } from '../drafts.ts'
import { word } from '../format.ts'
import { list, post } from '../http.ts'
import { useNews } from '../news.ts'
import { environmentOf } from '../place.ts'
import { fieldOf } from '../session.ts'
import { useData } from '../use-data.ts'
import { type Row, titleOf } from '../views.ts'
import { Author } from './author.tsx'
import { Empty } from './empty.tsx'
import { LoadingOrError } from './error-notice.tsx'
import { Field, Form, TextField } from './form.tsx'
import { Icon } from './icon.tsx'
import { notify } from './notes.tsx'
import { presetFor } from './related.tsx'
import { Segments } from './segments.tsx'
import { useForm } from './use-form.ts'
import { Moment } from './value.tsx'

export const activityIcons: Record<string, unknown> = {
  call: Phone,
  email: Mail,
  meeting: Users,
  note: NotebookPen,
  rating: Star,
}

const pageSize = 20

interface TimelineProps {
  /** The activities' field that refers to the record. */
  field: string
  of: string
  row: Row
}

/** The activities of a record, newest first, with a form to log one. */
export function Timeline({ field, of, row }: TimelineProps) {
  const [limit, setLimit] = useState(pageSize)
  const query = { [`filter[${field}]`]: row.id, include: 'user', limit }
  const loaded = useData((signal) => list<Row>('/api-v1-activities', query, signal), [row.id, limit])
  useNews(({ resource }) => resource === 'activity', loaded.refresh)
  return (
    <>
      <Composer key={row.id} {...{ field, of, row }} onLogged={loaded.reload} />
      {!loaded.data && <LoadingOrError of={loaded} />}
      {loaded.data?.data.length === 0 && (
        <Empty icon={MessagesSquare} title="Nothing logged yet">
          Log the first call, email, meeting, note or rating above.
        </Empty>
      )}
      <ol class="timeline">
        {loaded.data?.data.map((activity) => (
          <Entry key={activity.id} activity={activity} />
        ))}
      </ol>
      {loaded.data?.pagination.has_more && (
        <div>
          <button type="button" class="button" onClick={() => setLimit(limit + pageSize)}>
            Show older
          </button>
        </div>
      )}
    </>
  )
}

function Entry({ activity }: { activity: Row }) {
  const { type, subject, description, created_at } = activity
  return (
    <li>
      <span class="mark">
        <Icon of={activityIcons[type]} />
      </span>
      <div class="stack tight">
        <div>
          <strong>{subject ?? word(type)}</strong>
          <div class="muted small">
            {word(type)} · <Author of={activity} /> · <Moment at={created_at} />
          </div>
        </div>
        {description && <p class="text">{description}</p>}
      </div>
    </li>
  )
}

const blank = { type: 'call', subject: '', description: '', rating: 3 }

/** Logs an activity. A draft is stored for each record until it is sent. */
function Composer({ field, of, row, onLogged }: TimelineProps & { onLogged: () => void }) {
  const draft = `${environmentOf(location.pathname)}.${of}.${row.id}`
  const form = useForm({
    initial: readDraft<typeof blank>(draft) ?? blank,
    save: ({ type, subject, description, rating }) =>
      post('/api-v1-activities', {
        type,
        subject: subject || (type === 'rating' ? `${rating} of 5 stars` : null),
        description,
        ...(type === 'rating' && { metadata: { rating } }),
        ...referencesOf(of, field, row),
      }),
    onSaved() {
      form.set({ ...blank, type: form.values.type })
      onLogged()
    },
    onLate(logged) {
      if (!(logged instanceof Error)) return notify('Activity logged.')
      notify(`Not logged: ${logged.message} The text was: ${sent.current.subject} ${sent.current.description}`)
      if (!readDraft(draft)) saveDraft(draft, sent.current)
    },
  })
  const sent = useRef(form.values)
  const isBusy = useRef(false)
  sent.current = form.values
  isBusy.current = form.busy
  // Once it is being sent it is no longer a draft: a user who comes back before the response must not send it again.
  useEffect(() => () => void (isBusy.current && saveDraft(draft, undefined)), [])
  const { type, subject, description, rating } = form.values
  const isBlank = subject === '' && description === ''
  useEffect(() => saveDraft(draft, isBlank ? undefined : form.values), [form.values])
  return (
    <Form of={form} label="Log an activity" verb={`Log ${type}`}>
      <Types type={type} setType={(each) => form.set({ type: each })} />
      {type === 'rating' && <Stars rating={rating} setRating={(each) => form.set({ rating: each })} />}
      <TextField label="Subject" {...form.field('subject')} optional />
      <Field label="What happened" fault={form.fault('description')} optional>
        {(wiring) => (
          <textarea
            {...wiring}
            value={description}
            onInput={(event) => form.set({ description: event.currentTarget.value })}
          />
        )}
      </Field>
    </Form>
  )
}

interface TypesProps {
  type: string
  setType: (type: string) => void
}

function Types({ type, setType }: TypesProps) {
  return (
    <Segments label="Type">
      {fieldOf('activity', 'type').options!.map((each) => (
        <button key={each} type="button" aria-pressed={each === type} onClick={() => setType(each)}>
          {word(each)}
        </button>
      ))}
    </Segments>
  )
}

const stars = [1, 2, 3, 4, 5]

function Stars({ rating, setRating }: { rating: number; setRating: (rating: number) => void }) {
  return (
    <fieldset>
      <legend>Stars</legend>
      <div class="row">
        {stars.map((each) => (
          <label class="check" key={each}>
            <input type="radio" name="rating" checked={each === rating} onChange={() => setRating(each)} />
            {each}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function referencesOf(of: string, field: string, row: Row): Record<string, string> {
  const preset = presetFor('activity', field, { id: row.id, label: titleOf(of, row) }, row)
  return Object.fromEntries(Object.entries(preset).map(([name, { id }]) => [name, id]))
}
