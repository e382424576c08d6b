import { Search } from 'lucide'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { type Found, find } from '../find.ts'
import { href } from '../place.ts'
import { resourceOf } from '../session.ts'
import { stepFrom } from '../step.ts'
import { t } from '../texts.ts'
import { useData, useSettled } from '../use-data.ts'
import { viewOf } from '../views.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'

/** The button that searches all records, which Ctrl+K presses. */
export function GlobalSearch() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isOurs =
        event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      if (!isOurs || event.isComposing) return
      event.preventDefault() // browsers search the web
      if (!document.querySelector('dialog[open]')) setOpen(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <button
        type="button"
        class="button quiet"
        aria-keyshortcuts="Control+K Meta+K"
        title={t('Search all records (Ctrl+K)')}
        onClick={() => setOpen(true)}
      >
        <Icon of={Search} /> {t('Search')}
      </button>
      {open && (
        <Dialog title={t('Search all records')} onClose={() => setOpen(false)}>
          <Finder onChoose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

/** A box with the best matches below it. The first is active; the arrow keys move, and Enter opens a record. */
function Finder({ onChoose }: { onChoose: () => void }) {
  const { route } = useLocation()
  const listId = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const entering = useRef(false)
  const q = text.trim()
  const settled = useSettled(q, 100)
  const { data, error, loading } = useData(
    async (signal) => ({ q: settled, found: await find(settled, {}, signal) }),
    [settled],
  )
  const isCurrent = data?.q === q && !loading
  const found = q === '' ? [] : (data?.found ?? [])
  useEffect(() => setActive(0), [data])
  useEffect(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }), [active])
  useEffect(() => {
    if (!isCurrent || !entering.current) return
    entering.current = false
    if (found[0]) open(found[0])
  }, [isCurrent])

  function open({ type, id }: Found): void {
    onChoose()
    route(pageOf(type, id))
  }

  function press(event: KeyboardEvent): void {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setActive(stepFrom(active, event.key === 'ArrowDown' ? 1 : -1, found.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (!isCurrent) entering.current = true
      else if (found[active]) open(found[active])
    }
  }

  const state = error && !loading ? error.message : isCurrent ? t('Nothing matches') : t('Searching…')
  return (
    <search class="finder">
      <input
        class="input"
        type="text"
        role="combobox"
        aria-label={t('Search all records')}
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-activedescendant={found[active] ? `${listId}-${active}` : undefined}
        autoComplete="off"
        placeholder={t('Name, email, phone, title …')}
        value={text}
        onInput={(event) => {
          entering.current = false
          setText(event.currentTarget.value)
        }}
        onKeyDown={press}
      />
      <div ref={list} id={listId} role="listbox" aria-label={t('Matches')} tabIndex={-1}>
        {found.map((each, at) => (
          <a
            key={each.id}
            id={`${listId}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            href={pageOf(each.type, each.id)}
            onClick={onChoose}
          >
            <Icon of={viewOf(each.type).icon} />
            <span>{each.title}</span>
            <span class="muted small">{each.subtitle}</span>
          </a>
        ))}
      </div>
      {q !== '' && found.length === 0 && (
        <p role="status" class="muted">
          {state}
        </p>
      )}
    </search>
  )
}

function pageOf(type: string, id: string): string {
  return href(`${resourceOf(type).page}/${id}`)
}
