import { X } from 'lucide'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { fold } from '../../../lib/text.ts'
import { type Choice, isNewChoice, newChoice } from '../data/choice.ts'
import { useData, useSettled } from '../data/use-data.ts'
import { Icon } from '../parts/icon.tsx'
import { stepFrom } from '../parts/key-presses.ts'
import { Invalid } from '../text/invalid.ts'
import { t } from '../text/texts.ts'
import type { Wiring } from './form.tsx'
import { Listbox } from './listbox.tsx'

interface ComboboxProps {
  wiring: Wiring
  value: Choice | Invalid | null
  onValue: (value: Choice | Invalid | null) => void
  /** Returns the first few matches. */
  search: (text: string, signal: AbortSignal) => Promise<Choice[]>
  /** Whether a record that does not exist yet can be named. */
  creates?: boolean
  /** What one is called within a sentence: `organization` */
  noun: string
  /** Shown while nothing is chosen. */
  placeholder?: string | undefined
}

/**
 * Selects a record by a part of its name. The first suggestion is active; Enter and Tab accept it, even if it arrives after
 * the key press. Text that matches no record stays, as an `Invalid` value. (WAI-ARIA: combobox with list autocomplete.)
 */
export function Combobox(props: ComboboxProps) {
  const { wiring, value, placeholder = t('Type to search') } = props
  const listId = useId()
  const box = useSuggestions(props)
  const { input, text, isOpen, options, active } = box
  const chosen = value instanceof Invalid ? undefined : value
  return (
    <div class="combobox">
      <input
        {...wiring}
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={isOpen && options[active] ? `${listId}-${active}` : undefined}
        autoComplete="off"
        placeholder={placeholder}
        value={text ?? chosen?.label ?? ''}
        onInput={(event) => box.type(event.currentTarget.value)}
        onClick={() => box.open()}
        onKeyDown={box.press}
        onBlur={() => box.close()}
      />
      {isOpen && (
        <Listbox anchor={input} id={listId}>
          {options.map((option, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
            <div
              key={option.key}
              id={`${listId}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              onClick={() => box.accept(option)}
            >
              {option.label} {option.choice.matched && <mark class="small">{option.choice.matched}</mark>}
            </div>
          ))}
          {options.length === 0 && (
            <div role="option" tabIndex={-1} aria-disabled="true" aria-selected="false" class="muted">
              {box.state}
            </div>
          )}
        </Listbox>
      )}
      {isNewChoice(value) && text === undefined && <span class="hint">{t('Created when you save')}</span>}
      {chosen && text === undefined && (
        <button
          type="button"
          class="button quiet square small clear"
          aria-label={t('Clear {label}', { label: chosen.label })}
          tabIndex={-1} // by keyboard, its text is deleted
          onClick={() => box.clear()}
        >
          <Icon of={X} />
        </button>
      )}
    </div>
  )
}

interface Option {
  key: string
  label: string
  choice: Choice
}

function useSuggestions({ value, onValue, search, creates = false, noun }: ComboboxProps) {
  const [text, setText] = useState(value instanceof Invalid ? value.text : undefined)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  /** Enter or Tab was pressed before the suggestions arrived. */
  const accepting = useRef(false)
  const input = useRef<HTMLInputElement>(null)
  const name = text?.trim() ?? ''
  const settled = useSettled(name)
  const { data, error, loading } = useData(
    async (signal) => ({ text: settled, found: isOpen || settled !== '' ? await search(settled, signal) : [] }),
    [settled, isOpen],
  )
  const isCurrent = data?.text === name
  const unknown = creates
    ? t('No {noun} is chosen: choose one from the list, or create it', { noun })
    : t('No {noun} is chosen: choose one from the list', { noun })
  // Until the response for this text arrives, the matching suggestions of the last response are shown.
  const matching = isCurrent
    ? data.found
    : (data?.found ?? []).filter(({ label }) => name !== '' && fold(label).includes(fold(name)))
  const found = matching.toSorted((a, b) => rank(b, name) - rank(a, name))
  const isNamed = ({ label }: Choice) => name !== '' && fold(label) === fold(name)
  const isNew = isCurrent && name !== '' && !found.some(isNamed)
  const options: Option[] = [
    ...found.map((choice) => ({ key: choice.id, label: choice.label, choice })),
    ...(creates && isNew ? [{ key: 'new', label: t('Create “{name}”', { name }), choice: newChoice(name) }] : []),
  ]
  useEffect(() => setActive(found.length > 0 ? 0 : -1), [data, name])
  useEffect(() => {
    if (!isCurrent || name === '') return
    const meant = accepting.current ? found[0] : isOpen ? undefined : found.find(isNamed)
    accepting.current = false
    if (meant) choose(meant)
  }, [data, isOpen])
  const state = error && !loading ? error.message : isCurrent ? t('No {noun} found', { noun }) : t('Searching…')
  return { input, text, isOpen, options, active, state, accept, press, ...{ open, close, type, clear } }

  function open(): void {
    setOpen(true)
  }

  function close(): void {
    setOpen(false)
  }

  function type(given: string): void {
    accepting.current = false
    setText(given)
    setOpen(true)
    onValue(given.trim() === '' ? null : new Invalid(given, unknown))
  }

  function clear(): void {
    setText(undefined)
    onValue(null)
    input.current?.focus()
  }

  function choose(choice: Choice): void {
    setText(undefined)
    setOpen(false)
    onValue(choice)
  }

  function accept({ choice }: Option): void {
    input.current?.focus()
    choose(choice)
  }

  function press(event: KeyboardEvent): void {
    if (event.isComposing) return
    const isTyped = text !== undefined && name !== ''
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (isOpen) setActive(stepFrom(active, event.key === 'ArrowDown' ? 1 : -1, options.length))
      else open()
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault() // closes the list, not the dialog around it
      close()
    } else if (event.key === 'Enter' && (isOpen || isTyped)) {
      event.preventDefault()
      acceptActive()
    } else if (event.key === 'Tab' && isTyped && !event.shiftKey) acceptActive()
  }

  /** “Create …” must be selected explicitly: it is never the first option. */
  function acceptActive(): void {
    const option = isOpen ? options[active] : undefined
    if (option) accept(option)
    else if (!isCurrent) accepting.current = true
    else onValue(new Invalid(text!, unknown, { isUrgent: true }))
  }
}

/** Exact matches come first, then names that start with the text. */
function rank({ label }: Choice, name: string): number {
  const [folded, begun] = [fold(label), fold(name)]
  return folded === begun ? 2 : Number(folded.startsWith(begun))
}
