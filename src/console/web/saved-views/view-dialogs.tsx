import { FieldInput } from '../forms/field-input.tsx'
import { TextField } from '../forms/form.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { type FormState, useForm } from '../forms/use-form.ts'
import { notify } from '../parts/notes.tsx'
import { fieldOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { changeView, hasBoard, type Layout, type SavedView, type Shown, saveView } from './saved-views.ts'

interface DialogProps {
  onSaved: (view: SavedView) => void
  onClose: () => void
}

type Values = { name: string; visibility: string; layout: Layout }

/** Saves what a list shows as a new view. */
export function SaveViewDialog({ layout, onSaved, onClose, ...shown }: Shown & DialogProps & { layout: Layout }) {
  const form = useForm<Values, SavedView>({
    initial: { name: '', visibility: 'personal', layout },
    save: (values, _, once) => saveView(shown, values, once),
    onSaved,
    onLate: reportLate,
  })
  return (
    <FormDialog title={t('Save view')} small verb={t('Save')} {...{ of: form, onClose }}>
      <TextField label={t('Name')} {...form.field('name')} autoFocus />
      <Choices of={shown.of} form={form} />
    </FormDialog>
  )
}

/** Renames a view, shares it, and repairs it if it is broken. */
export function EditViewDialog({ view, onSaved, onClose }: DialogProps & { view: SavedView }) {
  const { name, visibility, layout, broken } = view
  const form = useForm<Values & { filter: string; sort: string }, SavedView>({
    initial: { name, visibility, layout, filter: view.filter ?? '', sort: view.sort ?? '' },
    save: (_, { filter, sort, ...changed }, once) => {
      const given = {
        ...changed,
        ...(filter !== undefined && { filter: filter || null }),
        ...(sort !== undefined && { sort: sort || null }),
      }
      return changeView(view, given, once)
    },
    onSaved,
    onLate: reportLate,
  })
  return (
    <FormDialog title={t('Edit view')} small verb={t('Save')} {...{ of: form, onClose }}>
      <TextField label={t('Name')} {...form.field('name')} />
      <Choices of={view.resource} form={form} />
      {form.values.visibility !== visibility && <p class="muted small">{consequences[form.values.visibility]}</p>}
      {broken && (
        <>
          <p class="muted small">{t('A part of this view no longer exists. Change it, or delete the view.')}</p>
          <TextField label={t('Filters')} {...form.field('filter')} />
          <TextField label={t('Order')} {...form.field('sort')} />
        </>
      )}
    </FormDialog>
  )
}

const consequences: Readonly<Record<string, string>> = {
  shared: t('Everyone sees it then. Its link changes.'),
  personal: t('Everyone else loses it then. Its link changes.'),
}

const labels = { visibility: t('For'), layout: t('Show as') }

/** For whom a view is and, if its resource has a board, how it is shown. */
function Choices<T extends Values>({ of, form }: { of: string; form: FormState<T> }) {
  const names: ('visibility' | 'layout')[] = hasBoard(of) ? ['visibility', 'layout'] : ['visibility']
  return names.map((name) => {
    const { default: _, fixed: __, ...field } = fieldOf('view', name)
    return (
      <FieldInput
        key={name}
        field={{ ...field, label: labels[name], required: true }}
        value={form.values[name]}
        onValue={(value) => form.set({ [name]: String(value) } as Partial<T>)}
        fault={form.fault(name)}
      />
    )
  })
}

function reportLate(saved: SavedView | Error): void {
  notify(saved instanceof Error ? t('View not saved: {message}', { message: saved.message }) : t('The view was saved.'))
}
