import type { DescribedField } from '../../description.ts'
import type { Row } from '../data/resource-views.ts'
import { ChipsInput } from '../forms/chips-input.tsx'
import { FieldInput } from '../forms/field-input.tsx'
import { Field } from '../forms/form.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { declaredOf, fieldOf, resourceOf } from '../session/session.ts'
import { word } from '../text/format.ts'
import { counted, t } from '../text/texts.ts'
import { useSettingForm } from './use-setting-form.ts'

interface StageFormProps {
  /** Absent: a new one. */
  stage?: Row
  /** The pipeline of a new stage. */
  pipeline: Row
  pipelines: readonly Row[]
  onSaved: () => void
  onClose: () => void
}

const stageFields = ['name', 'kind', 'color', 'stale_after_days'] as const

/** The form of a stage. With several pipelines, it moves the stage and its deals to another one. */
export function StageForm({ stage, pipeline, pipelines, onSaved, onClose }: StageFormProps) {
  const form = useSettingForm({
    path: '/api-v1-stages',
    label: t('Stage'),
    record: stage,
    valuesOf: (of) => ({
      name: of?.name ?? '',
      kind: of?.kind ?? 'open',
      color: of?.color ?? '#64748b',
      stale_after_days: of?.stale_after_days ?? null,
      requires: of?.requires ?? [],
      pipeline_id: of?.pipeline_id ?? pipeline.id,
    }),
    onSaved,
  })
  const pipelineField = form.field('pipeline_id')
  return (
    <FormDialog
      title={stage ? t('Edit stage') : t('New stage')}
      small
      verb={t('Save')}
      fields={resourceOf('stage').fields}
      {...{ of: form, onClose }}
    >
      {stageFields.map((name) => (
        <FieldInput
          key={name}
          field={fieldOf('stage', name)}
          {...form.field(name)}
          hint={hints[name]}
          autoFocus={name === 'name'}
        />
      ))}
      {pipelines.length > 1 && (
        <Field label={fieldOf('stage', 'pipeline_id').label} fault={pipelineField.fault}>
          {(wiring) => (
            <select
              {...wiring}
              value={pipelineField.value as string}
              onChange={({ currentTarget }) => pipelineField.onValue(currentTarget.value)}
            >
              {pipelines.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <ChipsInput
        label={fieldOf('stage', 'requires').label}
        options={requirable()}
        hint={t('Without these, no deal enters the stage. Deals that are in it stay.')}
        {...form.field('requires')}
      />
    </FormDialog>
  )
}

const hints: Readonly<Record<string, string>> = {
  kind: t('What its deals are: still open, won or lost.'),
  stale_after_days: t('Deals in which nothing happens for so long are marked. Empty: never.'),
}

/** What a stage is besides its name, in one line: `Requires Closes on, People · Stale after 14 days`. */
export function stageFacts({ name, kind, requires, stale_after_days: days }: Row): string {
  const labels = new Map(requirable().map(({ value, label }) => [value, label]))
  const fields = ((requires ?? []) as string[]).map((each) => labels.get(each) ?? each).join(', ')
  const facts = [
    kind !== 'open' && word(kind) !== name && word(kind),
    fields !== '' && t('Requires {fields}', { fields }),
    days !== null && counted('Stale after {n} day|Stale after {n} days', days),
  ]
  return facts.filter(Boolean).join(' · ')
}

/** What a stage can require: the filters of deals that forms set and that may be empty, people, and declared fields. */
function requirable(): { value: string; label: string }[] {
  const { filters, fields } = resourceOf('deal')
  const mayBeEmpty = ({ required, readonly, chosen, default: fallback }: DescribedField) =>
    !required && !readonly && !chosen && fallback === undefined
  const own = fields.filter((field) => filters.includes(field.name) && mayBeEmpty(field))
  const all = [...own, { name: 'people', label: t('People') }, ...declaredOf('deal')]
  return all.map(({ name, label }) => ({ value: name, label }))
}
