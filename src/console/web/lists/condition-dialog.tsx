import type { DescribedField } from '../../description.ts'
import { isChoice } from '../data/choice.ts'
import { tooLong } from '../data/filters.ts'
import type { Values } from '../data/form-merge.ts'
import { Field, Form } from '../forms/form.tsx'
import { useForm } from '../forms/use-form.ts'
import { Dialog } from '../parts/dialog.tsx'
import { word } from '../text/format.ts'
import { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'
import {
  type Comparison,
  comparisonsOf,
  comparisonText,
  conditionFields,
  type Entry,
  entryOf,
  readEntry,
} from './conditions.ts'
import { dayKinds, FilterInput, likeKinds, numberKinds } from './filter-dialog.tsx'

interface ConditionDialogProps {
  of: string
  /** The condition to change; undefined: a new one. */
  given?: Entry | undefined
  /** The filters of the list with the condition. */
  filtersWith: (entry: Entry) => Record<string, string>
  onApply: (filters: Record<string, string>) => void
  onClose: () => void
}

/** One condition of a list: a field, a comparison, and a value. */
export function ConditionDialog({ of, given, filtersWith, onApply, onClose }: ConditionDialogProps) {
  const fields = conditionFields(of)
  const form = useForm<Values, Record<string, string>>({
    initial: initialOf(of, fields, given),
    faults: (values) => tooLong(filtersWith(entryIn(values)!), 'values'),
    save: async (values) => filtersWith(entryIn(values)!),
    onSaved: onApply,
  })
  const field = fields.find(({ name }) => name === form.values.field) ?? fields[0]!
  const comparison = form.values.comparison as Comparison
  const choose = (name: string) => {
    const chosen = fields.find((each) => each.name === name)!
    form.set({ field: name, comparison: comparisonsOf(of, chosen)[0]!, values: [''] })
  }
  const compare = (chosen: Comparison) =>
    form.set({
      comparison: chosen,
      values: isList(field, chosen) === isList(field, comparison) ? form.values.values : [''],
    })
  return (
    <Dialog title={given ? t('Change condition') : t('Add condition')} small onClose={onClose}>
      <Form
        of={form}
        verb={t('Apply')}
        isReady={entryIn(form.values) !== undefined}
        other={{ label: t('Cancel'), onClick: onClose }}
      >
        <div class="fields">
          <Choices
            label={t('Field')}
            value={field.name}
            onValue={choose}
            options={fields.map((each) => [each.name, each.label])}
          />
          <Choices
            label={t('Comparison')}
            value={comparison}
            onValue={(chosen) => compare(chosen as Comparison)}
            options={comparisonsOf(of, field).map((each) => [each, comparisonText(field, each)])}
          />
          {comparison !== 'empty' && comparison !== 'filled' && (
            <ValueInputs
              key={`${field.name} ${isList(field, comparison)}`}
              {...{ field, comparison }}
              values={form.values.values as unknown[]}
              onValues={(values) => form.set({ values })}
              fault={() => form.fault('values')}
            />
          )}
        </div>
      </Form>
    </Dialog>
  )
}

function initialOf(of: string, fields: readonly DescribedField[], given: Entry | undefined): Values {
  const known = given && readEntry(given)
  const field = fields.find(({ name }) => name === known?.field) ?? fields[0]!
  if (!known) return { field: field.name, comparison: comparisonsOf(of, field)[0]!, values: [''] }
  const values = isList(field, known.comparison) ? known.value.split(',') : [known.value]
  return { field: field.name, comparison: known.comparison, values }
}

function entryIn({ field, comparison, values }: Values): Entry | undefined {
  const given = values as unknown[]
  if (given.some((value) => value instanceof Invalid)) return undefined
  const chosen = given.map((value) => (isChoice(value) ? value.id : String(value ?? '')))
  return entryOf(field as string, comparison as Comparison, chosen.filter((value) => value !== '').join(','))
}

/** Whether several values are chosen one by one. Those of other fields are one text with commas. */
function isList({ target, options }: DescribedField, comparison: Comparison): boolean {
  return comparison === 'in' && (target !== undefined || options !== undefined)
}

interface ChoicesProps {
  label: string
  value: string
  onValue: (value: string) => void
  options: readonly (readonly [value: string, label: string])[]
}

function Choices({ label, value, onValue, options }: ChoicesProps) {
  return (
    <Field label={label}>
      {(wiring) => (
        <select {...wiring} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface ValueInputsProps {
  field: DescribedField
  comparison: Comparison
  values: unknown[]
  onValues: (values: unknown[]) => void
  /** What is wrong with them; whoever calls it shows it. */
  fault: () => string | undefined
}

/** The input of the value; for several options, a box each; for several records, an input each and an empty one. */
function ValueInputs({ field, comparison, values, onValues, fault }: ValueInputsProps) {
  const inputs = (shown: readonly unknown[]) =>
    shown.map((value, at) => (
      <FilterInput
        key={at}
        field={inputFor(field, comparison)}
        value={value}
        onValue={(given) => onValues([...shown.slice(0, at), given, ...shown.slice(at + 1)])}
        fault={at === shown.length - 1 ? fault() : undefined}
      />
    ))
  if (!isList(field, comparison)) return <>{inputs(values)}</>
  if (!field.options) return <>{inputs([...values.filter((value) => value !== null && value !== ''), ''])}</>
  return (
    <fieldset>
      <legend>{t('Value')}</legend>
      {field.options.map((option) => (
        <label key={option} class="check">
          <input
            type="checkbox"
            checked={values.includes(option)}
            onChange={({ currentTarget: { checked } }) =>
              onValues(field.options!.filter((each) => (each === option ? checked : values.includes(each))))
            }
          />
          {field.declared ? option : word(option)}
        </label>
      ))}
    </fieldset>
  )
}

/** The field of a value: it has no default, and is not optional. */
function inputFor(field: DescribedField, comparison: Comparison): DescribedField {
  const { default: _, chosen: __, declared, ...rest } = field
  const plain = { ...rest, label: t('Value'), required: true }
  if (field.kind === 'flag') return { ...plain, kind: 'choice', options: ['true', 'false'] }
  if (comparison === 'in' && !field.target) return { ...plain, label: t('Values, separated by commas'), kind: 'text' }
  if (likeKinds.includes(field.kind)) return { ...plain, kind: 'text' }
  if (dayKinds.includes(field.kind)) return { ...plain, kind: 'date' }
  if (numberKinds.includes(field.kind)) return { ...plain, kind: 'number' }
  return { ...plain, ...(declared && { declared }) }
}
