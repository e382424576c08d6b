import { useEffect } from 'preact/hooks'
import type { Row } from '../data/resource-views.ts'
import { Segments } from '../parts/segments.tsx'
import { t } from '../text/texts.ts'
import { rememberPipeline } from './pipelines.ts'

interface PipelineTabsProps {
  pipelines: readonly Row[]
  /** The one that is shown; undefined: there is only one. */
  shown: Row | undefined
  hrefOf: (pipeline: Row) => string
}

/** The pipelines as tabs, if there are several. */
export function PipelineTabs({ pipelines, shown, hrefOf }: PipelineTabsProps) {
  useEffect(() => {
    if (shown) rememberPipeline(shown)
  }, [shown?.id])
  if (!shown) return null
  return (
    <Segments label={t('Pipelines')} links>
      {pipelines.map((pipeline) => (
        <a key={pipeline.id} href={hrefOf(pipeline)} aria-current={pipeline.id === shown.id ? 'true' : undefined}>
          {pipeline.name}
        </a>
      ))}
    </Segments>
  )
}
