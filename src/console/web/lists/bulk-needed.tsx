import type { Values } from '../data/form-merge.ts'
import { isGiven, sentValue } from '../data/record-values.ts'
import { neededField } from '../deals/deal-moves.ts'
import { FieldInput } from '../forms/field-input.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { t } from '../text/texts.ts'
import { countText } from '../undo/undo.ts'
import type { BulkAction } from './bulk.ts'

interface BulkNeededProps {
  /** The move that was refused. `needed`: what the stage requires and deals lack, by their ids. */
  action: BulkAction
  needed: ReadonlyMap<string, readonly string[]>
  onChosen: (action: BulkAction) => void
  onClose: () => void
}

/** Asks once for what a stage requires. Each deal gets only what it lacks. */
export function BulkNeeded({ action, needed, onChosen, onClose }: BulkNeededProps) {
  const fields = [...new Set([...needed.values()].flat().map((name) => neededField(name)!))]
  const form = useForm<Values, BulkAction>({
    initial: Object.fromEntries(fields.map(({ name }) => [name, null])),
    save: async (values) => {
      const sent = Object.entries(values).map(([name, value]) => [name, sentValue('deal', name, value)])
      const former = action.needed
      const names = [...needed].map(([id, own]) => [id, [...(former?.names.get(id) ?? []), ...own]] as const)
      return {
        ...action,
        needed: { names: new Map(names), values: { ...former?.values, ...Object.fromEntries(sent) } },
      }
    },
    onSaved: onChosen,
  })
  const { stage: name = '' } = action
  return (
    <FormDialog
      title={t('Needed in {name}: {title}', { name, title: countText('deal', needed.size) })}
      small
      of={form}
      verb={t('Move to {name}', { name })}
      isReady={fields.every((field) => isGiven(form.values[field.name]))}
      onClose={onClose}
    >
      {fields.map(({ default: _, ...field }, at) => (
        <FieldInput
          key={field.name}
          field={{ ...field, required: true }}
          {...form.field(field.name)}
          autoFocus={at === 0}
        />
      ))}
    </FormDialog>
  )
}
