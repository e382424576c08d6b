import { Handshake, Plus } from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Values } from '../data/form-merge.ts'
import { useListState } from '../data/list-state.ts'
import { useNews } from '../data/news.ts'
import type { Row } from '../data/resource-views.ts'
import { useData, useSettled } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import type { ListFilters } from '../deals/deal-links.ts'
import { outcomesOf } from '../deals/deal-moves.ts'
import { NeededDialog, type NeededMove, tellMoved } from '../deals/needed-dialog.tsx'
import { PipelineTabs } from '../deals/pipeline-tabs.tsx'
import { loadPipelines, pipelineField, shownPipeline, stagesOf } from '../deals/pipelines.ts'
import { ReasonDialog } from '../deals/reason-dialog.tsx'
import { NoMatch } from '../lists/no-match.tsx'
import { Empty } from '../parts/empty.tsx'
import { LoadingOrError } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { keyFor } from '../parts/key-presses.ts'
import { useTitle } from '../parts/use-title.ts'
import { RecordForm } from '../record-form/lazy-record-form.ts'
import { UnknownView } from '../saved-views/unknown-view.tsx'
import { useChanged, useViews } from '../saved-views/use-views.ts'
import { href } from '../session/place.ts'
import { isAdmin } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { type Board, createBoard } from './board.ts'
import { BoardColumn, presetIn } from './board-column.tsx'
import { BoardFilters } from './board-filters.tsx'
import { askedPipeline, boardHref, boardQuery, shownIn, stagesShown } from './board-query.ts'
import { BoardTotals } from './board-totals.tsx'
import { MoreStages } from './more-stages.tsx'
import { type DealMoves, useDealMoves } from './use-deal-moves.ts'

/** The board: a column for each stage, deals moved between them by pointer or keyboard. */
export function Pipeline() {
  useTitle(t('Pipeline'))
  const stages = useData(loadPipelines, [])
  const [given, change] = useListState()
  const views = useViews('deal', given)
  const pipeline = stages.data && shownPipeline(stages.data, askedPipeline(given, views.chosen))
  const state = pipeline ? { ...given, filters: { ...given.filters, [pipelineField]: pipeline.id } } : given
  const all = stages.data && stagesOf(stages.data, pipeline)
  const q = useSettled(state.q)
  const query = boardQuery({ ...state, q })
  const [needed, setNeeded] = useState<NeededMove>()
  const board = useMemo(
    () => createBoard(query, { onRefused: stages.reload, onNeeded: setNeeded }),
    [JSON.stringify(query), stages.reload],
  )
  useEffect(board.loadTotals, [board])
  useChanged(views.chosen, board.refresh)
  const [creating, setCreating] = useState<Values>()
  // Without a pipeline, the server chooses the stage.
  const create = () => setCreating(pipeline && all?.[0] ? presetIn(all[0]) : {})
  return (
    <div class="page full">
      <div class="heading">
        <h1>{t('Pipeline')}</h1>
        <button type="button" class="button primary" aria-keyshortcuts={keyFor('c')} onClick={create}>
          <Icon of={Plus} /> {t('New deal')}
        </button>
      </div>
      {stages.data && (
        <PipelineTabs pipelines={stages.data.pipelines} shown={pipeline} hrefOf={(each) => boardHref(given, each)} />
      )}
      <BoardFilters {...{ state, views }} stages={all} onChange={change} />
      {views.isUnknown && <UnknownView onChange={change} />}
      {!stages.data && <LoadingOrError of={stages} shape="columns" />}
      {all?.length === 0 && <NoStages />}
      {board.findsNothing && <NoMatch onChange={change} />}
      {all && all.length > 0 && !views.isUnknown && (
        <Columns
          all={all}
          stages={stagesShown(all, state)}
          board={board}
          filters={shownIn(state, all)}
          onAdd={setCreating}
          onReturn={stages.reload}
          onNews={stages.refresh}
        />
      )}
      {needed && (
        <NeededDialog
          move={needed}
          onMoved={(moved) => {
            setNeeded(undefined)
            tellMoved(needed, moved)
            void board.refresh()
          }}
          onClose={() => setNeeded(undefined)}
        />
      )}
      {creating && (
        <RecordForm
          of="deal"
          preset={creating}
          onClose={() => setCreating(undefined)}
          onSaved={() => {
            setCreating(undefined)
            void board.refresh()
          }}
        />
      )}
    </div>
  )
}

/** What the cards and the columns show, besides tasks. */
const boardResources = ['deal', 'stage', 'organization', 'user']

interface ColumnsProps {
  all: Row[]
  /** The stages that the filters leave. */
  stages: Row[]
  /** Called with the initial values of a new deal. */
  onAdd: (preset: Values) => void
  board: Board
  filters: ListFilters
  onReturn: () => void
  onNews: () => void
}

/** Reloads when the user returns to the window, and after a change. */
function Columns({ all, stages, board, filters, onAdd, onReturn, onNews }: ColumnsProps) {
  const element = useRef<HTMLDivElement>(null)
  const [losing, setLosing] = useState<{ deal: Row; to: Row }>()
  const onDrop = async (deal: Row, to: Row) => {
    if (to.kind !== 'lost' || deal.stage_id === to.id) return board.move(deal, to)
    setLosing({ deal, to })
    return undefined
  }
  const moves = useDealMoves({ all, stages, board, element, onDrop })
  useReturn(() => board.refresh().then(onReturn))
  useNews(
    ({ resource }) => boardResources.includes(resource),
    () => board.refresh().then(onNews),
  )
  useNews(({ resource }) => resource === 'task', board.refreshTasks)
  return (
    <>
      <p class="unseen" role="status">
        {moves.announcement}
      </p>
      <BoardTotals {...{ stages, filters }} totals={board.totals} />
      <div class="board-frame">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways even while its columns are empty */}
        <section class="board" ref={element} tabIndex={0} aria-label={t('Pipeline')}>
          {stages.map((stage) => (
            <BoardColumn key={stage.id} {...{ stage, board, moves, filters, onAdd }} />
          ))}
        </section>
        <MoreStages board={element} count={stages.length} />
        <OutcomeDrops stages={all} moving={moves.moving} />
      </div>
      {losing && (
        <ReasonDialog
          {...losing}
          onMove={async (reason) => void board.move(losing.deal, losing.to, reason)}
          onClose={() => setLosing(undefined)}
        />
      )}
    </>
  )
}

function NoStages() {
  return (
    <Empty icon={Handshake} title={t('There are no stages')}>
      {isAdmin() ? (
        <a href={href('/settings/stages')}>{t('Create the first stage')}</a>
      ) : (
        t('Ask an admin to create them.')
      )}
    </Empty>
  )
}

/** The places for a dragged deal that is won or lost, shown while it is dragged. The keyboard moves a deal to the columns. */
function OutcomeDrops({ stages, moving }: { stages: Row[]; moving: DealMoves['moving'] }) {
  const target = moving.value?.target
  return (
    <div class="drops" aria-hidden="true">
      {outcomesOf(stages).map(({ id, kind, name }) => (
        <div key={id} class={id === target ? `${kind} over` : kind} data-stage={id}>
          {name}
        </div>
      ))}
    </div>
  )
}
