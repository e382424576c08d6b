import { Pencil } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { DescribedField } from '../../description.ts'
import { keyOf } from '../data/declared.ts'
import { type Metadata, textOf } from '../data/metadata.ts'
import { editedWith, hasValue } from '../data/record-values.ts'
import { isTelling, keyFactsOf, type Row, viewOf, withoutCurrency } from '../data/resource-views.ts'
import { Card } from '../parts/card.tsx'
import { Tool } from '../parts/tool.tsx'
import { isAuthor, Value } from '../parts/value.tsx'
import { RecordForm } from '../record-form/lazy-record-form.ts'
import { declaredOf, fieldOf, resourceOf } from '../session/session.ts'
import { hyphenated } from '../text/hyphens.ts'
import { t } from '../text/texts.ts'

interface FactsProps {
  of: string
  row: Row
  /** Called after a field has been edited in its place. Absent: none can be. */
  onChanged?: () => void
  /** Whether it is in a section of the same name. */
  isInside?: boolean
}

/** The record's fields without those in the heading. Each is edited in its place; the empty ones are offered below. */
export function Facts({ of, row, onChanged, isInside = false }: FactsProps) {
  const { relations } = resourceOf(of)
  const { edit, editor } = useFactEditor({ of, row, ...(onChanged && { onChanged }) })
  const [shown, missing] = factsOf(of, row)
  const offered = missing.flatMap((field) => ({ ...field, onEdit: edit(field.name) })).filter(({ onEdit }) => onEdit)
  if (shown.length + offered.length === 0) return null
  return (
    <section class="card" aria-label={isInside ? undefined : t('Details')}>
      <dl class="facts body">
        {shown.map((field) => (
          <Fact key={field.name} label={field.label} onEdit={edit(field.name)}>
            <Value field={field} row={row} relation={relations[field.name]} />
          </Fact>
        ))}
      </dl>
      {offered.length > 0 && (
        <div class="missing row body small">
          <span class="muted">{t('Empty:')}</span>
          {offered.map(({ name, label, onEdit }) => (
            <button key={name} type="button" class="button quiet small" onClick={onEdit}>
              {label}
            </button>
          ))}
        </div>
      )}
      {editor}
    </section>
  )
}

/** Edits a fact in its place. `edit` is undefined for a field that cannot be edited; `editor` is the open form. */
export function useFactEditor({ of, row, onChanged }: FactsProps) {
  const [editing, setEditing] = useState<{ name: string; at: Element }>()
  const canEdit = (name: string) => onChanged !== undefined && editedWith(of, name).length > 0
  const open = (name: string) => (event: MouseEvent) =>
    setEditing({ name, at: (event.currentTarget as Element).closest('dd, .missing')! })
  const saved = () => {
    setEditing(undefined)
    onChanged!()
  }
  const editor = editing && (
    <RecordForm
      {...{ of, row, at: editing.at }}
      only={editedWith(of, editing.name)}
      onSaved={saved}
      onClose={() => setEditing(undefined)}
    />
  )
  return { edit: (name: string) => (canEdit(name) ? open(name) : undefined), editor }
}

/** The fields that have a value, and those that have none. */
function factsOf(of: string, row: Row): [shown: DescribedField[], missing: DescribedField[]] {
  const { form, name, badge } = viewOf(of)
  const { fields } = resourceOf(of)
  const above = keyFactsOf(of, row)
  const others = fields.filter(({ name, kind }) => !form.includes(name) && kind !== 'metadata' && name !== 'updated_at')
  const own = withoutCurrency([...form.map((each) => fieldOf(of, each)), ...others]).filter(
    (field) => isTelling(field) && !name.includes(field.name) && field.name !== badge && !above.includes(field.name),
  )
  const isFilled = (field: DescribedField) =>
    field.declared ? hasValue(row, field.name) : row[field.name] !== null || isAuthor(field)
  const { true: shown = [], false: missing = [] } = Object.groupBy([...own, ...declaredOf(of)], (field) =>
    isFilled(field) ? 'true' : 'false',
  )
  return [shown, missing]
}

/** The metadata that is not declared. */
export function MetadataFacts({ of, metadata }: { of: string; metadata: Metadata }) {
  const declared = declaredOf(of).map(({ name }) => keyOf(name))
  const entries = Object.entries(metadata).filter(([name]) => !declared.includes(name))
  if (entries.length === 0) return null
  return (
    <Card label={t('Metadata')}>
      <dl class="facts body">
        {entries.map(([name, value]) => (
          <Fact key={name} label={name}>
            {textOf(value)}
          </Fact>
        ))}
      </dl>
    </Card>
  )
}

/** Shorter words fit the column of the labels on a phone. */
const labelLettersMin = 15

interface FactProps {
  label: string
  onEdit?: ((event: MouseEvent) => void) | undefined
  children: ComponentChildren
}

export function Fact({ label, onEdit, children }: FactProps) {
  return (
    <>
      <dt>{hyphenated(label, labelLettersMin)}</dt>
      <dd {...(onEdit && { onDblClick: onEdit })}>
        {children}
        {onEdit && <Tool icon={Pencil} label={t('Change {name}', { name: label })} onClick={onEdit} />}
      </dd>
    </>
  )
}
