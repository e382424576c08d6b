import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { type Found, find, matchedText } from '../data/find.ts'
import { viewOf } from '../data/resource-views.ts'
import { useData, useSettled } from '../data/use-data.ts'
import { leavePage } from '../forms/use-unsaved.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { stepFrom } from '../parts/key-presses.ts'
import { listViews } from '../saved-views/saved-views.ts'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { allCommands, type Command, createCommands, matching, viewCommands } from './finder-commands.ts'
import { closePanel, searched } from './open-panel.ts'

/** A record or a command. */
interface Match extends Command {
  key: string
}

interface FinderProps {
  /** Whether only the commands that create a record are offered. */
  onlyCreates: boolean
}

/** A box with the best matches below it: records, then commands. The first is active; the arrow keys move, and Enter chooses. */
export function Finder({ onlyCreates }: FinderProps) {
  const { route } = useLocation()
  const listId = useId()
  const text = searched.value
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const entering = useRef(false)
  const views = useData(async (signal) => (onlyCreates ? [] : listViews(undefined, signal)), [])
  const commands = useMemo(
    () => (onlyCreates ? createCommands() : [...allCommands(), ...viewCommands(views.data ?? [])]),
    [views.data],
  )
  const q = onlyCreates ? '' : text.trim()
  const settled = useSettled(q, 100)
  const { data, error, loading } = useData(
    async (signal) => ({ q: settled, found: await find(settled, {}, signal) }),
    [settled],
  )
  const isCurrent = q === '' || (settled === q && !loading && (data?.q === q || error !== undefined))
  const records = q === '' || error ? [] : (data?.found ?? []).map(matchFor)
  const offered = matching(commands, text).map((command) => ({ ...command, key: command.href ?? command.label }))
  const all: Match[] = [...records, ...offered]
  useEffect(() => setActive(0), [data, text])
  useEffect(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }), [active])
  useEffect(() => {
    if (!isCurrent || !entering.current) return
    entering.current = false
    if (all[0]) choose(all[0])
  }, [isCurrent])

  function choose(match: Match): void {
    closePanel()
    match.run?.()
    if (match.href) void leavePage(() => route(match.href!))
  }

  function press(event: KeyboardEvent): void {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setActive(stepFrom(active, event.key === 'ArrowDown' ? 1 : -1, all.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const chosen = all[active]
      if (!isCurrent && active === 0) entering.current = true
      else if (chosen) choose(chosen)
    }
  }

  const state = error && !loading ? error.message : isCurrent ? t('Nothing matches') : t('Searching…')
  const label = onlyCreates ? t('Create a record') : t('Search all records')
  const group = { listId, active, onChoose: choose }
  return (
    <Dialog title={label} onClose={closePanel}>
      <search class="finder">
        <input
          class="input"
          type="text"
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={all.length > 0}
          aria-controls={listId}
          aria-activedescendant={all[active] ? `${listId}-${active}` : undefined}
          autoComplete="off"
          placeholder={onlyCreates ? '' : t('Name, email, phone, title, or a command …')}
          value={text}
          onInput={(event) => {
            entering.current = false
            searched.value = event.currentTarget.value
          }}
          onKeyDown={press}
        />
        <div ref={list} id={listId} role="listbox" aria-label={t('Matches')} tabIndex={-1}>
          <Group {...group} label={t('Records')} matches={records} from={0} />
          <Group {...group} label={t('Commands')} matches={offered} from={records.length} />
        </div>
        {q !== '' && records.length === 0 && (
          <p role="status" class="muted">
            {state}
          </p>
        )}
      </search>
    </Dialog>
  )
}

interface GroupProps {
  listId: string
  label: string
  matches: readonly Match[]
  /** The number of matches before these. */
  from: number
  active: number
  onChoose: (match: Match) => void
}

function Group({ listId, label, matches, from, active, onChoose }: GroupProps) {
  const id = useId()
  if (matches.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: options are no fields
    <div role="group" aria-labelledby={id}>
      <p id={id} class="muted small" role="presentation">
        {label}
      </p>
      {matches.map((match, at) => (
        <a
          key={match.key}
          id={`${listId}-${from + at}`}
          role="option"
          tabIndex={-1}
          aria-selected={from + at === active}
          href={match.href}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return // the browser opens another window
            event.preventDefault()
            event.stopPropagation() // the router would follow it once more
            onChoose(match)
          }}
        >
          <Icon of={match.icon} />
          <span>{match.label}</span>
          {match.subtitle && <span class="muted small">{match.subtitle}</span>}
          {match.matched && <mark class="small">{match.matched}</mark>}
        </a>
      ))}
    </div>
  )
}

function matchFor(found: Found): Match {
  const { type, id, title, subtitle } = found
  const page = href(`${resourceOf(type).page}/${id}`)
  return { key: id, label: title, subtitle, matched: matchedText(found), icon: viewOf(type).icon, href: page }
}
