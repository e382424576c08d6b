import { Handshake } from 'lucide'
import type { Stages } from '../deals/deal-figures.ts'
import { inStages, listHref, ownedBy } from '../deals/deal-links.ts'
import { convertedText, mainSumText, sumText } from '../deals/pipeline-sums.ts'
import { Empty } from '../parts/empty.tsx'
import { href } from '../session/place.ts'
import { counted, t } from '../text/texts.ts'
import type { HomeSums } from './home-sums.ts'

interface HomePipelineProps {
  owner: string | undefined
  stages: Stages
  sums: HomeSums
}

/** The deals of each stage. */
export function HomePipeline({ owner, stages, sums }: HomePipelineProps) {
  return (
    <section class="card" aria-label={t('Pipeline')}>
      <header>
        <h2>{t('Pipeline')}</h2>
        <a href={href(owner === undefined ? '/pipeline' : `/pipeline?assigned_to=${owner}`)}>{t('Open the board')}</a>
      </header>
      <div class="body">
        {sums.groups.length > 0 ? <Meters {...{ owner, stages, sums }} /> : <NoDeals owner={owner} />}
      </div>
    </section>
  )
}

function NoDeals({ owner }: { owner: string | undefined }) {
  return (
    <Empty
      inCard
      icon={Handshake}
      title={owner === undefined ? t('No deals yet') : t('You have no deals')}
      actions={
        <a class="button primary" href={href('/deals')}>
          {t('Go to deals')}
        </a>
      }
    >
      {owner === undefined
        ? t('Your pipeline is shown here once it has a deal. Add one, or import a list.')
        : t('Deals that are assigned to you are shown here. Add one, or look at those of everyone.')}
    </Empty>
  )
}

function Meters({ owner, stages, sums }: HomePipelineProps) {
  const { totals } = sums
  const most = Math.max(1, ...[...totals.values()].map(({ deals }) => deals))
  return (
    <ul class="stack">
      {stages.all.map((stage) => {
        const total = totals.get(stage.id)
        return (
          <li key={stage.id} class="stack tight">
            <a class="row apart" href={listHref('deal', { ...inStages([stage]), ...ownedBy(owner) })}>
              <bdi>{stage.name}</bdi>
              <span class="muted small number" title={total && sumText(total.values)}>
                {counted('{n} deal|{n} deals', total?.deals ?? 0)}
                {total && ` · ${total.converted ? convertedText(total.converted.values) : mainSumText(total.values)}`}
              </span>
            </a>
            <div class="meter">
              <div style={{ width: `${((total?.deals ?? 0) / most) * 100}%`, backgroundColor: stage.color }} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}
