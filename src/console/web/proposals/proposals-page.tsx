import { Bot } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { useListState } from '../data/list-state.ts'
import { useNames } from '../data/record-names.ts'
import { usePages } from '../data/use-pages.ts'
import { Empty } from '../parts/empty.tsx'
import { PagedCard } from '../parts/paged-card.tsx'
import { Segments } from '../parts/segments.tsx'
import { useTitle } from '../parts/use-title.ts'
import { Badge, Moment } from '../parts/value.tsx'
import { href } from '../session/place.ts'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'
import type { Proposal } from './proposal.ts'
import { ProposalBulk } from './proposal-bulk.tsx'
import { ProposalRow, ProposedBy } from './proposal-row.tsx'

const pageSize = 50
const statuses = ['open', 'applied', 'rejected'] as const

/** What agents have proposed: applied or rejected here, one, some or all. */
export function Proposals() {
  useTitle(t('Proposals'))
  const [{ page, filters }, change] = useListState()
  const status = statuses.find((each) => each === filters.status) ?? 'open'
  const query = { status, limit: pageSize, page }
  const loaded = usePages<Proposal>('/api-v1-proposals', query, (last) => change({ page: last }, 'replace'))
  useEffect(() => {
    addEventListener('focus', loaded.refresh)
    return () => removeEventListener('focus', loaded.refresh)
  }, [])
  return (
    <div class="page">
      <div class="heading">
        <div class="stack tight">
          <h1>{t('Proposals')}</h1>
          <p class="muted">{t('What agents want to change. Nothing changes until you apply it.')}</p>
        </div>
        <a class="button" href={href('/agents')}>
          {t('Connect an agent')}
        </a>
      </div>
      <Segments label={t('Which proposals')}>
        {statuses.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === status}
            onClick={() => change({ filters: each === 'open' ? {} : { status: each } })}
          >
            {word(each)}
          </button>
        ))}
      </Segments>
      <PagedCard
        label={t('Proposals')}
        of={loaded}
        page={page}
        onPage={(next) => change({ page: next })}
        rows={(data) => <Listed of={data} status={status} onChanged={loaded.reload} />}
      />
    </div>
  )
}

interface ListedProps {
  of: readonly Proposal[]
  status: (typeof statuses)[number]
  onChanged: () => void
}

function Listed({ of, status, onChanged }: ListedProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  if (of.length === 0) {
    return (
      <Empty icon={Bot} title={status === 'open' ? t('No open proposals') : t('No such proposals')}>
        {t('When an agent that may only propose wants to change something, it appears here.')}
      </Empty>
    )
  }
  if (status !== 'open') return <Decided of={of} />
  const select = (id: string) => {
    const others = new Set(selected)
    if (!others.delete(id)) others.add(id)
    setSelected(others)
  }
  return (
    <>
      <ProposalBulk of={of} selected={selected} onSelect={setSelected} onDecided={onChanged} />
      <ul class="list">
        {of.map((each) => (
          <ProposalRow
            key={each.id}
            of={each}
            isSelected={selected.has(each.id)}
            onSelect={() => select(each.id)}
            onDecided={onChanged}
          />
        ))}
      </ul>
    </>
  )
}

/** What is left of proposals after the decision. The log has what was applied. */
function Decided({ of }: { of: readonly Proposal[] }) {
  return (
    <ul class="list">
      {of.map((each) => (
        <li key={each.id} class="wraps">
          <div class="grow">
            <div>{word(each.tool)}</div>
            <ProposedBy of={each} />
          </div>
          <div class="small">
            <Badge value={each.status} /> <DecidedBy of={each} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function DecidedBy({ of: { decided_by, decided_at } }: { of: Proposal }) {
  const name = useNames(decided_by ? 'user' : undefined, decided_by ?? '')
  return (
    <>
      {name && `${name} · `}
      {decided_at && <Moment at={decided_at} />}
    </>
  )
}
