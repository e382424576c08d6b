import ComboboxNav from '@github/combobox-nav'
import { X } from 'lucide'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useData, useSettled } from '../use-data.ts'
import type { Wiring } from './form.tsx'
import { Icon } from './icon.tsx'

export interface Choice {
  id: string
  label: string
}

interface ComboboxProps {
  wiring: Wiring
  chosen: Choice | undefined
  onChoose: (choice: Choice | undefined) => void
  /** The first few that match. */
  search: (text: string, signal: AbortSignal) => Promise<Choice[]>
}

/** Chooses one of many by typing a part of its name. */
export function Combobox({ wiring, chosen, onChoose, search }: ComboboxProps) {
  const [text, setText] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const close = () => setText(undefined)
  const choose = (choice: Choice) => {
    onChoose(choice)
    close()
    input.current?.focus()
  }
  return (
    <div class="combobox">
      <input
        {...wiring}
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={text !== undefined}
        aria-controls={listId}
        autoComplete="off"
        placeholder="Type to search"
        value={text ?? chosen?.label ?? ''}
        onInput={(event) => setText(event.currentTarget.value)}
        onClick={() => setText((before) => before ?? '')}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && text === undefined) setText('')
          if (event.key !== 'Escape' || text === undefined) return
          event.preventDefault() // closes the list, not the dialog around it
          close()
        }}
        onBlur={close}
      />
      {text !== undefined && <Suggestions {...{ input, listId, text, search, choose }} />}
      {chosen && text === undefined && (
        <button
          type="button"
          class="button quiet square small clear"
          aria-label={`Clear ${chosen.label}`}
          onClick={() => onChoose(undefined)}
        >
          <Icon of={X} />
        </button>
      )}
    </div>
  )
}

interface SuggestionsProps extends Pick<ComboboxProps, 'search'> {
  input: { current: HTMLInputElement | null }
  listId: string
  text: string
  choose: (choice: Choice) => void
}

function Suggestions({ input, listId, text, search, choose }: SuggestionsProps) {
  const settled = useSettled(text)
  const { data: found, loading } = useData((signal) => search(settled, signal), [settled])
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const nav = new ComboboxNav(input.current!, list.current!, { tabInsertsSuggestions: false })
    nav.start()
    return () => nav.stop()
  }, [input])
  return (
    // The list must not take the focus from the input before the click arrives.
    <div
      ref={list}
      id={listId}
      role="listbox"
      tabIndex={-1}
      aria-label="Suggestions"
      onMouseDown={(event) => event.preventDefault()}
    >
      {found?.map(({ id, label }) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, where ComboboxNav turns Enter into a click
        <div
          key={id}
          id={`${listId}-${id}`}
          role="option"
          tabIndex={-1}
          aria-selected="false"
          onClick={() => choose({ id, label })}
        >
          {label}
        </div>
      ))}
      {found?.length === 0 && !loading && (
        <div role="option" tabIndex={-1} aria-disabled="true" aria-selected="false" class="muted">
          Nothing found
        </div>
      )}
    </div>
  )
}
