import { Check, Pencil } from 'lucide'
import { useState } from 'preact/hooks'
import { get, isGone } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { listed, type Row, referenceTo, titleOf, viewOf } from '../data/resource-views.ts'
import { useData } from '../data/use-data.ts'
import { FileButtons } from '../files/file-buttons.tsx'
import { LineItems } from '../line-items/line-items.tsx'
import { AddressCard } from '../mail/address-card.tsx'
import { ThreadMessages } from '../mail/lazy-thread-messages.ts'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { focusHeading } from '../parts/focus.ts'
import { Icon } from '../parts/icon.tsx'
import { SubpageTitle } from '../parts/subpage-title.tsx'
import { useMedia } from '../parts/use-media.ts'
import { useTitle } from '../parts/use-title.ts'
import { Badge } from '../parts/value.tsx'
import { RecordForm } from '../record-form/lazy-record-form.ts'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { useTaskChange } from '../tasks/task-row.tsx'
import { t } from '../text/texts.ts'
import { DealSteps } from './deal-steps.tsx'
import { DeletedRecord } from './deleted-record.tsx'
import { Facts, MetadataFacts } from './facts.tsx'
import { FileDrop } from './file-drop.tsx'
import { GoneNotice } from './gone-notice.tsx'
import { Items } from './items.tsx'
import { KeyFacts } from './key-facts.tsx'
import { useOpenRecord } from './open-record.ts'
import { People } from './people.tsx'
import { RecordMenu } from './record-menu.tsx'
import { RecordSide } from './record-side.tsx'
import { Related } from './related.tsx'

/** The page of one record. */
export function Record({ of, id }: { of: string; id: string }) {
  const { label, plural, page, path, collections, relations, links } = resourceOf(of)
  const isNarrow = useMedia('(max-width: 64rem)') // the columns of the page are below each other
  const linked = Object.keys(links)
  const include = [...Object.values(relations), ...Object.keys(collections), ...linked]
  const query = linked.length > 0 ? `?include=${include}` : ''
  const loaded = useData((signal) => get<Row>(`/${path}/${id}${query}`, signal), [path, id])
  const row = loaded.data?.id === id ? loaded.data : undefined
  useNews(({ record_id }) => record_id === id || (row !== undefined && refersTo(of, row, record_id)), loaded.refresh)
  useTitle(row ? titleOf(of, row) : plural)
  const gone = isGone(loaded.error)
  useOpenRecord(of, gone ? undefined : row)
  if (!row && gone) return <DeletedRecord key={id} of={of} id={id} error={loaded.error!} onRestored={loaded.reload} />
  if (!row) {
    return (
      <div class="page">
        <a href={href(page)}>{plural}</a>
        <h1 class={loaded.error ? '' : 'unseen'}>{label}</h1>
        <LoadingOrError of={loaded} />
      </div>
    )
  }
  const timelineField = referenceTo(of, timeline)
  const isMail = of === 'message' // which shows its attachments itself, and gets no others
  const fileField = isMail ? undefined : referenceTo(of, 'file')
  const facts = <Facts of={of} row={row} isInside={!timelineField} {...(!gone && { onChanged: loaded.reload })} />
  const reach = (
    <div class="reach stack">
      {Object.keys(collections).map((name) => (
        <Items key={name} of={of} name={name} row={row} onChanged={loaded.reload} />
      ))}
      {referenceTo('contact', of) && <People of={of} row={row} onChanged={loaded.reload} />}
    </div>
  )
  return (
    <div class="page">
      {gone && <GoneNotice {...{ of, id }} title={titleOf(of, row)} onRestored={loaded.reload} />}
      {loaded.error && !gone && <LoadingOrError of={loaded} />}
      <Heading of={of} row={row} onChanged={loaded.reload} />
      {fileField && !gone && <FileDrop field={fileField} id={id} title={titleOf(of, row)} />}
      <KeyFacts of={of} row={row} {...(!gone && { onChanged: loaded.reload })} />
      {of === 'deal' && !gone && <DealSteps deal={row} onMoved={loaded.reload} />}
      <div class="record">
        {isNarrow && reach}
        <RecordSide {...{ of, row, timelineField }}>
          {isMail && !gone ? <MailOf row={row} onChanged={loaded.reload} /> : !timelineField && facts}
        </RecordSide>
        <div class="rest stack">
          {timelineField && facts}
          {!isNarrow && reach}
          {of === 'deal' && !gone && <DealAddress id={id} />}
          {!isMail &&
            relatedTo(of).map(({ other, field }) => (
              <Related key={other} of={other} field={field} to={{ id, label: titleOf(of, row) }} row={row} />
            ))}
          {row.metadata && <MetadataFacts of={of} metadata={row.metadata} />}
        </div>
      </div>
      {of === 'deal' && !gone && <LineItems deal={row} onChanged={loaded.reload} />}
    </div>
  )
}

/** The thread of a message, in which that one is unfolded. */
function MailOf({ row, onChanged }: { row: Row; onChanged: () => void }) {
  return (
    <div class="body">
      <ThreadMessages key={row.id} id={row.thread_id} shown={row.id} onChanged={onChanged} />
    </div>
  )
}

function DealAddress({ id }: { id: string }) {
  return (
    <AddressCard
      label={t('Mail address of the deal')}
      about={t('Put it in BCC, or forward a mail to it: the mail appears here.')}
      verb={t('Create address')}
      owner={{ kind: 'deal', deal_id: id }}
    />
  )
}

function refersTo(of: string, row: Row, id: string): boolean {
  return Object.keys(resourceOf(of).relations).some((by) => row[by] === id)
}

/** The resource that decides whether a record has a timeline: where it refers to the record. */
const timeline = 'activity'

/** What the timeline shows. */
const told = [timeline, 'message']

/** The resources that refer to a record, each with the field that does. A deal has a table of its line items. */
function relatedTo(of: string): { other: string; field: string }[] {
  return listed().flatMap((other) => {
    const field = told.includes(other) || (of === 'deal' && other === 'line_item') ? undefined : referenceTo(of, other)
    return field ? [{ other, field }] : []
  })
}

interface HeadingProps {
  of: string
  row: Row
  onChanged: () => void
}

function Heading({ of, row, onChanged }: HeadingProps) {
  const resource = resourceOf(of)
  const { badge } = viewOf(of)
  const [editing, setEditing] = useState(false)
  return (
    <div class="heading">
      <div class="stack tight">
        <SubpageTitle of={resource} title={titleOf(of, row)}>
          {badge && row[badge] && <Badge value={row[badge]} />}
        </SubpageTitle>
      </div>
      <div class="row">
        {of === 'file' && <FileButtons file={row} />}
        {of === 'task' && row.status !== 'completed' && <DoneButton task={row} onDone={onChanged} />}
        {resource.operations.includes('patch') && of !== 'message' && (
          <button type="button" class="button" onClick={() => setEditing(true)}>
            <Icon of={Pencil} /> {t('Edit')}
          </button>
        )}
        <RecordMenu of={of} row={row} />
      </div>
      {editing && (
        <RecordForm
          of={of}
          row={row}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            onChanged()
          }}
        />
      )}
    </div>
  )
}

function DoneButton({ task, onDone }: { task: Row; onDone: () => void }) {
  const { busy, complete } = useTaskChange(task, () => {
    focusHeading()
    onDone()
  })
  return (
    <button type="button" class="button primary" aria-disabled={busy} onClick={complete}>
      <Icon of={Check} /> {t('Done')}
    </button>
  )
}
