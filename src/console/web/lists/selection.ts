import { useRef, useState } from 'preact/hooks'

/** The records of a list that are selected, on all of its pages. */
export interface Selection {
  ids: ReadonlySet<string>
  /** Selects a row or not. `toLast`: with all rows since the one that was changed last. */
  toggle(id: string, toLast?: boolean): void
  /** Selects all of these or none of them. */
  setAll(ids: readonly string[], isSelected: boolean): void
  clear(): void
}

/** `key` identifies what the list finds: when it changes, nothing is selected. `shown`: the ids on the page, in order. */
export function useSelection(key: string, shown: readonly string[]): Selection {
  const [state, setState] = useState<{ key: string; ids: ReadonlySet<string> }>({ key, ids: new Set() })
  const last = useRef<string>(undefined)
  const ids = state.key === key ? state.ids : new Set<string>()
  const setAll = (changed: readonly string[], isSelected: boolean) => {
    setState((before) => {
      const known = before.key === key ? before.ids : new Set<string>()
      const others = [...known].filter((id) => !changed.includes(id))
      return { key, ids: new Set(isSelected ? [...known, ...changed] : others) }
    })
  }
  return {
    ids,
    setAll,
    toggle(id, toLast = false) {
      const [from, to] = [shown.indexOf(last.current ?? ''), shown.indexOf(id)].sort((a, b) => a - b) as [
        number,
        number,
      ]
      last.current = id
      setAll(toLast && from >= 0 ? shown.slice(from, to + 1) : [id], !ids.has(id))
    },
    clear: () => setState({ key, ids: new Set() }),
  }
}
