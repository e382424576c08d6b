import { useRef, useState } from 'preact/hooks'
import { useNews } from '../data/news.ts'
import type { Row } from '../data/resource-views.ts'
import { loadStages } from '../data/stages.ts'
import { useData } from '../data/use-data.ts'
import { moveDeal, moveText, noteReason, outcomesOf } from '../deals/deal-moves.ts'
import { NeededDialog, type NeededMove, neededFor, tellMoved } from '../deals/needed-dialog.tsx'
import { ReasonDialog } from '../deals/reason-dialog.tsx'
import { notify } from '../parts/notes.tsx'
import { verbLabel } from '../text/change-verbs.ts'
import { amount, exactPercent } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'
import { DealStory } from './deal-story.tsx'

interface DealStepsProps {
  deal: Row
  onMoved: () => void
}

/** The value of a deal and the stages on its way. A click on a stage, on Won or on Lost moves the deal there. */
export function DealSteps({ deal, onMoved }: DealStepsProps) {
  const loaded = useData(loadStages, [])
  useNews(({ resource }) => resource === 'stage', loaded.refresh)
  const [losing, setLosing] = useState<Row>()
  const all = loaded.data ?? []
  const current = all.find(({ id }) => id === deal.stage_id)
  const stages = current ? all.filter((each) => each.pipeline_id === current.pipeline_id) : all
  const open = stages.filter(({ kind }) => kind === 'open')
  const [needed, setNeeded] = useState<NeededMove>()
  /** The ids of the stages to which moves are on their way; the last one is where the deal will be. */
  const aims = useRef<string[]>([])
  const move = async (to: Row, reason = '') => {
    aims.current.push(to.id)
    const moved = await moveDeal(deal, to)
      .catch(async (error: Error) => {
        const lacking = await neededFor(error, deal, to, reason)
        if (!lacking) throw error
        setNeeded(lacking)
      })
      .finally(() => aims.current.splice(aims.current.indexOf(to.id), 1))
    if (!moved) return
    notifyChange(moveText(deal, to), moved)
    if (reason !== '') await noteReason(moved, to.name, reason)
    onMoved()
  }
  const choose = (to: Row) => {
    if (to.id === (aims.current.at(-1) ?? deal.stage_id)) return
    if (to.kind === 'lost') setLosing(to)
    else move(to).catch(({ message }) => notify(t('Not moved: {message}', { message })))
  }
  const isPassed = ({ position }: Row) => current?.kind === 'won' || (current && position < current.position)
  return (
    <div class="deal-head stack tight">
      <section class="deal-steps" aria-label={t('Stage')}>
        <span class="value number">{amount(deal.value, deal.currency)}</span>
        {deal.probability !== null && (
          <span class="muted">{t('{probability} probable', { probability: exactPercent(deal.probability) })}</span>
        )}
        <ol class="stage-steps">
          {open.map((stage) => (
            <li key={stage.id}>
              <button
                type="button"
                class={isPassed(stage) && current?.kind !== 'lost' ? 'passed' : ''}
                aria-current={stage === current ? 'step' : undefined}
                onClick={() => choose(stage)}
              >
                {stage.name}
              </button>
            </li>
          ))}
        </ol>
        {current && current.kind !== 'open' && <span class={`badge ${tones[current.kind]}`}>{current.name}</span>}
        {outcomesOf(stages)
          .filter(({ kind }) => kind !== current?.kind)
          .map((stage) => (
            <button
              key={stage.id}
              type="button"
              class={stage.kind === 'won' ? 'button primary' : 'button danger'}
              onClick={() => choose(stage)}
            >
              {verbLabel(stage.kind)}
            </button>
          ))}
        {losing && (
          <ReasonDialog
            deal={deal}
            to={losing}
            onMove={(reason) => move(losing, reason)}
            onClose={() => setLosing(undefined)}
          />
        )}
      </section>
      {needed && (
        <NeededDialog
          move={needed}
          onMoved={(moved) => {
            setNeeded(undefined)
            tellMoved(needed, moved)
            onMoved()
          }}
          onClose={() => setNeeded(undefined)}
        />
      )}
      <DealStory deal={deal} stages={loaded.data} />
    </div>
  )
}

const tones: Readonly<Record<string, string>> = { won: 'good', lost: 'bad' }
