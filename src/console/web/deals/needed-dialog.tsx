import { useRef, useState } from 'preact/hooks'
import type { Values } from '../data/form-merge.ts'
import { get } from '../data/http.ts'
import { bodyOf, valuesOf } from '../data/record-values.ts'
import type { Row } from '../data/resource-views.ts'
import { FieldInput } from '../forms/field-input.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { allFields } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { moveChanged, moveText, neededField, neededNames, noteReason } from './deal-moves.ts'

/** A move that the server refused, because the deal lacks what the stage requires. */
export interface NeededMove {
  /** As it was read by its id. */
  deal: Row
  to: Row
  /** What the stage requires and the deal lacks. */
  names: readonly string[]
  /** Kept as a note on the deal; empty: none. */
  reason: string
}

/** What a refused move lacks; undefined: it was refused for another reason, or needs what no form has. */
export async function neededFor(refused: Error, deal: Row, to: Row, reason: string): Promise<NeededMove | undefined> {
  const names = neededNames(refused)
  if (names.length === 0) return undefined
  return { deal: await get<Row>(`/api-v1-deals/${deal.id}`), to, names, reason }
}

/** Tells that the deal was moved, and keeps the reason. */
export function tellMoved({ deal, to, reason }: NeededMove, moved: Row): void {
  notifyChange(moveText(deal, to), moved)
  if (reason !== '') void noteReason(moved, to.name, reason)
}

interface NeededDialogProps {
  move: NeededMove
  onMoved: (moved: Row) => void
  onClose: () => void
}

/** Asks for what a stage requires, and moves the deal there with it. */
export function NeededDialog({ move: { deal, to, names }, onMoved, onClose }: NeededDialogProps) {
  const known = useRef(deal)
  const [asked, setAsked] = useState(names)
  const form = useForm<Values, Row>({
    initial: valuesOf('deal', deal),
    save: (values, changed) =>
      moveChanged(known.current, to, bodyOf('deal', changed, values, known.current)).catch((refused) => {
        setAsked([...new Set([...asked, ...neededNames(refused)])]) // the stage may require more by now
        throw refused
      }),
    onSaved: onMoved,
    async reread() {
      known.current = await get<Row>(`/api-v1-deals/${deal.id}`)
      return valuesOf('deal', known.current)
    },
  })
  return (
    <FormDialog
      title={t('Needed in {name}: {title}', { name: to.name, title: deal.title })}
      small
      verb={t('Move to {name}', { name: to.name })}
      fields={allFields('deal')}
      of={form}
      onClose={onClose}
    >
      {[...Map.groupBy(asked, (name) => neededField(name)!)].map(([field, own], at) => {
        const { fault, ...state } = form.field(field.name)
        return (
          <FieldInput
            key={field.name}
            field={{ ...field, required: true }}
            {...state}
            fault={own.map(form.fault).find(Boolean) ?? fault}
            currency={field.currency && form.values[field.currency]}
            autoFocus={at === 0}
          />
        )
      })}
    </FormDialog>
  )
}
