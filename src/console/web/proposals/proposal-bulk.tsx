import { useState } from 'preact/hooks'
import { type SharedRequest, withRequestId } from '../data/http.ts'
import { notify } from '../parts/notes.tsx'
import { counted, t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { applyProposal, isUndoable, type Proposal, rejectProposal } from './proposal.ts'

interface ProposalBulkProps {
  of: readonly Proposal[]
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  onDecided: () => void
}

type Decision = (each: Proposal, shared: SharedRequest) => Promise<Proposal | undefined>

/** Applies or rejects the selected proposals, one after the other, the oldest first. */
export function ProposalBulk({ of, selected, onSelect, onDecided }: ProposalBulkProps) {
  const [busy, setBusy] = useState(false)
  const chosen = of.filter(({ id }) => selected.has(id)).reverse()
  const run = async (decide: Decision, told: (n: number) => string) => {
    setBusy(true)
    const failures: string[] = []
    const decided = await withRequestId(async (shared) => {
      const done: Proposal[] = []
      for (const each of chosen) {
        const result = await decide(each, shared).catch((error: Error) => error)
        if (result instanceof Error) failures.push(result.message)
        else if (result !== undefined) done.push(result)
      }
      return done
    })
    if (decided.length > 0) notifyChange(told(decided.length), decided.some(isUndoable) && decided)
    for (const message of new Set(failures)) notify(t('Not decided: {message}', { message }))
    setBusy(false)
    onSelect(new Set())
    onDecided()
  }
  const all = chosen.length === of.length
  return (
    <div class="row apart body bulk-decision">
      <label class="row">
        <input type="checkbox" checked={all} onChange={() => onSelect(new Set(all ? [] : of.map(({ id }) => id)))} />
        {chosen.length === 0 ? t('Select all') : counted('{n} selected|{n} selected', chosen.length)}
      </label>
      {chosen.length > 0 && (
        <div class="row">
          <button type="button" class="button small" disabled={busy} onClick={() => void run(rejectProposal, rejected)}>
            {t('Reject the selected')}
          </button>
          <button
            type="button"
            class="button small primary"
            disabled={busy}
            onClick={() => void run((each, shared) => applyProposal(each, undefined, shared), applied)}
          >
            {t('Apply the selected')}
          </button>
        </div>
      )}
    </div>
  )
}

function applied(n: number): string {
  return counted('{n} proposal applied.|{n} proposals applied.', n)
}

function rejected(n: number): string {
  return counted('{n} proposal rejected.|{n} proposals rejected.', n)
}
