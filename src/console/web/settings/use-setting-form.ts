import { useRef } from 'preact/hooks'
import type { Values } from '../data/form-merge.ts'
import { get, patch, post } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { type FormState, useForm } from '../forms/use-form.ts'
import { notify } from '../parts/notes.tsx'
import { about, t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'

interface SettingFormOptions<T extends Values> {
  /** The path of the resource: `/api-v1-stages` */
  path: string
  /** What messages call a record: `Stage` */
  label: string
  /** The record that is changed; absent: a new one is created. */
  record: Row | undefined
  valuesOf: (record: Row | undefined) => T
  /** The body of a new record; default: the values. */
  bodyOf?: (values: T) => object
  /** Called after the form was saved, also if it was closed in the meantime. */
  onSaved: () => void
}

/** The form of a record in the settings, new or existing. */
export function useSettingForm<T extends Values>(options: SettingFormOptions<T>): FormState<T> {
  const { path, label, record, valuesOf, bodyOf = (values: T) => values, onSaved } = options
  const own = `${path}/${record?.id}`
  const known = useRef(record)
  return useForm({
    initial: valuesOf(record),
    async save(values, changed, once) {
      if (!record) return post(path, bodyOf(values), once)
      return Object.keys(changed).length > 0 ? patch(own, changed, known.current) : undefined
    },
    onSaved(saved) {
      notifyChange(record ? t('Saved.') : t('{label} created.', { label }), saved)
      onSaved()
    },
    onLate(saved) {
      const wasSaved = about('Too late to cancel: the {noun} was saved.', label)
      notify(saved instanceof Error ? t('{label} not saved: {message}', { label, message: saved.message }) : wasSaved)
      onSaved()
    },
    async reread() {
      known.current = await get<Row>(own)
      return valuesOf(known.current)
    },
  })
}
