import { Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { post } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../parts/notes.tsx'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'

interface Suggestion {
  key: string
  label: string
  type: string
  options?: readonly string[]
}

const owner: Suggestion = { key: 'owner', label: t('Owner'), type: 'user' }
const tags: Suggestion = {
  key: 'tags',
  label: t('Tags'),
  type: 'choices',
  options: [t('Key account'), t('Partner'), t('Newsletter')],
}

/** What many companies keep, by resource. */
const suggestions: Readonly<Record<string, readonly Suggestion[]>> = {
  organization: [
    owner,
    { key: 'phone', label: t('Phone'), type: 'phone' },
    { key: 'size', label: t('Number of employees'), type: 'number' },
    tags,
  ],
  contact: [owner, tags],
  deal: [tags],
  activity: [
    { key: 'duration_minutes', label: t('Duration in minutes'), type: 'number' },
    { key: 'outcome', label: t('Outcome'), type: 'text' },
  ],
}

interface FieldSuggestionsProps {
  resource: string
  /** The fields that are declared. */
  fields: readonly Row[]
  onDeclared: () => void
}

/** Declares a usual field with one click. */
export function FieldSuggestions({ resource, fields, onDeclared }: FieldSuggestionsProps) {
  const [busy, setBusy] = useState(false)
  const isNew = ({ key }: Suggestion) => fields.every((field) => field.key.toLowerCase() !== key)
  const offered = (suggestions[resource] ?? []).filter(isNew)
  if (offered.length === 0) return null
  const declare = async (suggestion: Suggestion) => {
    setBusy(true)
    try {
      const made = await post<Row>('/api-v1-fields', { ...suggestion, resource, position: fields.length })
      notifyChange(t('{label} created.', { label: suggestion.label }), made)
    } catch (error) {
      notify((error as Error).message)
    }
    setBusy(false)
    onDeclared()
  }
  return (
    <div class="body row">
      <span class="muted">{t('Often used:')}</span>
      {offered.map((suggestion) => (
        <button
          key={suggestion.key}
          type="button"
          class="button small"
          disabled={busy}
          onClick={() => declare(suggestion)}
        >
          <Icon of={Plus} /> {suggestion.label}
        </button>
      ))}
    </div>
  )
}
