import { Check, X } from 'lucide'
import { useState } from 'preact/hooks'
import { useNames } from '../data/record-names.ts'
import { useAttempt } from '../data/use-attempt.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../parts/notes.tsx'
import { single } from '../parts/single-click.ts'
import { Moment } from '../parts/value.tsx'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { applyProposal, choosable, isUndoable, nameOf, type Proposal, rejectProposal } from './proposal.ts'
import { ProposedChanges } from './proposed-changes.tsx'

interface ProposalRowProps {
  of: Proposal
  isSelected: boolean
  onSelect: () => void
  onDecided: () => void
}

/** An open proposal: what would change, field by field, and the buttons to decide. */
export function ProposalRow({ of, isSelected, onSelect, onDecided }: ProposalRowProps) {
  const names = choosable(of)
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set())
  const { busy, error, attempt } = useAttempt()
  const fields = without.size > 0 ? names.filter((name) => !without.has(name)) : undefined
  const subject = of.changes.map(nameOf).join(', ')
  const apply = async () => {
    const applied = await applyProposal(of, fields)
    if (!applied) return
    notifyChange(t('Proposal applied.'), isUndoable(applied) && applied)
    onDecided()
  }
  const reject = async () => {
    await rejectProposal(of)
    notify(t('Proposal rejected.'))
    onDecided()
  }
  return (
    <li class="wraps" aria-busy={busy}>
      <input
        type="checkbox"
        checked={isSelected}
        onChange={onSelect}
        aria-label={`${t('Select the proposal')} ${subject}`}
      />
      <div class="grow stack">
        <ProposedBy of={of} />
        <ProposedChanges
          of={of.changes}
          total={of.changes_total}
          without={names.length > 0 ? without : undefined}
          onToggle={(name) => setWithout(toggled(without, name))}
        />
        <ErrorNotice error={error} />
      </div>
      <div class="row">
        <button type="button" class="button small" aria-disabled={busy} onClick={single(() => void attempt(reject))}>
          <Icon of={X} /> {t('Reject')}
          <span class="unseen"> {subject}</span>
        </button>
        <button
          type="button"
          class="button small primary"
          aria-disabled={busy}
          disabled={fields?.length === 0}
          onClick={single(() => void attempt(apply))}
        >
          <Icon of={Check} /> {fields ? t('Apply {n} of {total} fields', counts(fields, names)) : t('Apply')}
          <span class="unseen"> {subject}</span>
        </button>
      </div>
    </li>
  )
}

function counts(fields: readonly string[], names: readonly string[]) {
  return { n: fields.length, total: names.length }
}

function toggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const others = new Set(names)
  if (!others.delete(name)) others.add(name)
  return others
}

/** The key and the program of the agent, and when it has proposed. A member reads the names of the own keys only. */
export function ProposedBy({ of: { key_id, client, created_at } }: { of: Proposal }) {
  const found = useNames('api_key', key_id)
  const name = found === t('(deleted)') ? t('API key') : found
  return (
    <div class="muted small">
      {[name, client].filter(Boolean).join(' · ')} · <Moment at={created_at} />
    </div>
  )
}
