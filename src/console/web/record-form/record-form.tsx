import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../../errors.ts'
import type { DescribedField } from '../../description.ts'
import { type Choice, isChoice } from '../data/choice.ts'
import type { Values } from '../data/form-merge.ts'
import { duplicateOf, get, isGone, patch, post } from '../data/http.ts'
import { tell } from '../data/news.ts'
import type { Once } from '../data/once.ts'
import { blank, bodyOf, fieldsOf, hasValue, isMetadata, nearOf, valuesOf } from '../data/record-values.ts'
import { type Row, titleOf, viewOf } from '../data/resource-views.ts'
import { isLost, neededIn, noteReason, probabilityIn } from '../deals/deal-moves.ts'
import { ReasonField } from '../deals/reason-field.tsx'
import { FieldInput } from '../forms/field-input.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { type FieldState, type FormState, useForm } from '../forms/use-form.ts'
import { notify } from '../parts/notes.tsx'
import { href } from '../session/place.ts'
import { allFields, declaredOf, resourceOf } from '../session/session.ts'
import { Invalid } from '../text/invalid.ts'
import { about, noun, t } from '../text/texts.ts'
import { RestoreButton } from '../trash/restore-button.tsx'
import { notifyChange } from '../undo/undo.ts'
import { confirmNegative, faultsIn } from './check-values.ts'
import { fromToday, rateHint } from './exchange-rate.ts'
import { createFirstDeal, FirstDeal, firstDealOf, withoutDeal } from './first-deal.tsx'
import { useFollowing } from './following.ts'
import { HeldBy, holderIn } from './holder.tsx'
import { ItemInputs } from './item-inputs.tsx'
import { MetadataInput } from './metadata-input.tsx'
import { saveTogether } from './save-together.ts'
import { usualCurrency } from './usual-currency.ts'

interface RecordFormProps {
  of: string
  /** The record to edit, as it was read by its id; absent: a new one is created. */
  row?: Row
  /** The only fields that the form shows, with those that a chosen stage requires and the record lacks; default: all. */
  only?: readonly string[]
  /** Where the form is shown; default: in the middle of the window. */
  at?: Element
  /** The initial values of a new record; a reference as a `Choice`. */
  preset?: Values
  /** What follows from a new record, as a part of the same request. */
  also?: (saved: Row, once: Once) => Promise<void>
  onSaved: (row: Row) => void
  onClose: () => void
}

/** Creates or changes a record. */
export function RecordForm(props: RecordFormProps) {
  const { of, row, only, at, onClose } = props
  const { label, fields, collections } = resourceOf(of)
  const [reason, setReason] = useState('')
  const [firstStage, setFirstStage] = useState<Choice>()
  const [moves, setMoves] = useState(0) // an input of a number keeps what it shows
  const { form, holder, isDeleted, restored } = useRecord(props, reason.trim())
  const follows = useFollowing(of, row)
  const needed = neededIn(form.values.stage_id ?? firstStage, row?.stage_id)
  const asNeeded = (field: DescribedField) => (needed.includes(field.name) ? { ...field, required: true } : field)
  const isLacking = (name: string) => row !== undefined && needed.includes(name) && !hasValue(row, name)
  const isShown = ({ name }: DescribedField) => !only || only.includes(name) || isLacking(name)
  const input = (field: DescribedField, index: number) => (
    <FieldInput
      key={field.name === 'probability' ? `${field.name} ${moves}` : field.name}
      field={asNeeded(field)}
      {...form.field(field.name)}
      {...(field.name === 'stage_id' && { onValue: chooseStage, onFilled: setFirstStage })}
      wide={viewOf(of).wide.includes(field.name)}
      isReadOnly={follows.includes(field.name)}
      hint={follows.includes(field.name) ? t('It follows the line items of the deal.') : rateHint(of, field.name)}
      currency={field.currency && form.values[field.currency]}
      near={nearOf(of, field, form.values)}
      autoFocus={index === 0 && !isFlag(field)}
      inRecord
    />
  )
  const chooseStage = (stage_id: unknown) => {
    const next = neededIn(stage_id, row?.stage_id)
    const hidden = only && row ? needed.filter((name) => !only.includes(name) && !next.includes(name)) : []
    const unsent = Object.fromEntries(hidden.map((name) => [name, valuesOf(of, row!)[name]]))
    form.set({ ...unsent, stage_id, ...(isChoice(stage_id) && probabilityIn(stage_id.kind)) })
    setMoves(moves + 1)
  }
  const flags = fieldsOf(of, row).filter((field) => isShown(field) && isFlag(field))
  return (
    <FormDialog
      title={row ? about('Edit {noun}', label) : about('New {noun}', label)}
      verb={row ? t('Save') : about('Create {noun}', label)}
      {...{ of: form, fields: allFields(of), onClose }}
      {...(at && { at })}
    >
      <div class="fields">
        {fieldsOf(of, row)
          .filter((field) => isShown(field) && !isFlag(field))
          .map(input)}
        {declaredOf(of)
          .filter(isShown)
          .map((field) => (
            <Declared key={field.name} {...{ of, holder }} field={asNeeded(field)} {...form.field(field.name)} />
          ))}
      </div>
      {isLost(form.values.stage_id) && <ReasonField value={reason} onValue={setReason} />}
      {!row && Object.keys(collections).map((name) => <ItemInputs key={name} of={of} name={name} form={form} />)}
      {!row && of === 'contact' && <FirstDeal form={form} />}
      {flags.length > 0 && <div class="fields">{flags.map(input)}</div>}
      {isDeleted && <RestoreButton id={row!.id} title={titleOf(of, row!)} onRestored={restored} />}
      {!only && fields.some(isMetadata) && <Advanced {...form.field('metadata')} />}
    </FormDialog>
  )
}

/** What is for programs rather than for people. It opens by itself to show an error. */
function Advanced(props: FieldState<unknown>) {
  const details = useRef<HTMLDetailsElement>(null)
  const isWrong = props.fault !== undefined || props.value instanceof Invalid
  useLayoutEffect(() => {
    if (isWrong) details.current!.open = true
  }, [isWrong, props.fault])
  return (
    <details ref={details}>
      <summary>{t('Advanced')}</summary>
      <MetadataInput {...props} />
    </details>
  )
}

interface DeclaredProps extends FieldState<unknown> {
  of: string
  field: DescribedField
  holder: string | undefined
}

function Declared({ of, field, holder, value, onValue, fault }: DeclaredProps) {
  const shown = fault && holder ? <HeldBy of={of} id={holder} /> : fault
  return <FieldInput {...{ field, value, onValue }} fault={shown} />
}

interface RecordState {
  form: FormState<Values>
  /** The record that has the unique value that was refused. */
  holder: string | undefined
  /** Whether the record was deleted while the form was open. */
  isDeleted: boolean
  /** Called once it has been restored. */
  restored: () => void
}

/** The form's state. `reason`: why the deal is lost. */
function useRecord({ of, row, preset = {}, also, onSaved }: RecordFormProps, reason: string): RecordState {
  const [holder, setHolder] = useState<string>()
  const [isDeleted, setDeleted] = useState(false)
  const { label, path } = resourceOf(of)
  const known = useRef(row)
  const form = useForm<Values, Row>({
    initial: row ? valuesOf(of, row) : { ...blank(of), ...firstDealOf(of), ...fromToday(of), ...preset },
    faults: (values) => faultsIn(of, row, values),
    check: (values, changed) => confirmNegative(fieldsOf(of, row), values, changed),
    amounts: Object.fromEntries(
      fieldsOf(of, row).flatMap(({ name, currency }) => (currency ? [[name, currency]] : [])),
    ),
    async save(values, changed, once) {
      setHolder(undefined)
      const stored = known.current
      // Unchanged fields are not sent: sending a status again would repeat its effects.
      if (stored && Object.keys(changed).length === 0) return stored
      const own = withoutDeal(values)
      const bodyFor = (resolve: (given: Values) => Values) =>
        stored ? bodyOf(of, resolve(changed), own, stored) : bodyOf(of, resolve(own), own)
      return naming(
        saveTogether({
          ...{ of, values: stored ? changed : own, once },
          save: (resolve) =>
            stored
              ? patch<Row>(`/${path}/${stored.id}`, bodyFor(resolve), stored, { requestId: once })
              : post<Row>(`/${path}`, bodyFor(resolve), once),
          also: stored ? undefined : (saved) => createFirstDeal(values, saved, once).then(() => also?.(saved, once)),
        }),
      )
    },
    onSaved(saved) {
      const { stage_id } = form.values
      if (isLost(stage_id) && reason !== '') void noteReason(saved, stage_id.label, reason)
      notifyChange(row ? t('Saved.') : t('{label} created.', { label }), saved)
      notifyDuplicate(of, saved)
      onSaved(saved)
    },
    onLate(saved) {
      if (saved instanceof Error) return notify(t('{label} not saved: {message}', { label, message: saved.message }))
      tell('unknown')
      const title = titleOf(of, saved)
      const text = row
        ? t('Too late to cancel: “{title}” was saved.', { title })
        : t('Too late to cancel: “{title}” was created.', { title })
      notify(text, { label: t('Show'), href: href(`${resourceOf(of).page}/${saved.id}`) })
    },
    ...(row && {
      async reread() {
        known.current = await get<Row>(`/${path}/${row.id}`)
        return valuesOf(of, known.current)
      },
    }),
  })
  useEffect(() => {
    if (!row) usualCurrency(of).then(form.fill, () => {}) // without it, the default of the API stays
  }, [])
  return { form, holder, isDeleted, restored: () => setDeleted(false) }

  function naming(saved: Promise<Row>): Promise<Row> {
    return saved.catch((error) => {
      setHolder(holderIn(error))
      if (!row || !isGone(error)) throw error
      setDeleted(true)
      const message = t('This {label} has been deleted. Restore it, then save: your input stays here.', {
        label: noun(label),
      })
      throw new ApiError('NOT_FOUND', message)
    })
  }
}

/** Links to the comparison with an older record that has the same email or domain. */
function notifyDuplicate(of: string, saved: Row): void {
  const older = duplicateOf(saved)
  if (older === undefined) return
  const { label, page } = resourceOf(of)
  const link = { label: t('Compare them'), href: href(`${page}/duplicates?merge=${older},${saved.id}`) }
  notify(about('There may be the same {noun} already.', label), link)
}

function isFlag({ kind }: DescribedField): boolean {
  return kind === 'flag'
}
