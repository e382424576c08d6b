import { TriangleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import type { Loaded } from '../data/use-data.ts'
import { t } from '../text/texts.ts'
import { Icon } from './icon.tsx'

/** Shows an error that belongs to no field. */
export function ErrorNotice({ error }: { error: Error | undefined }) {
  if (!error) return null
  return (
    <div class="notice bad" role="alert">
      <Icon of={TriangleAlert} />
      <span>{error.message}</span>
    </div>
  )
}

interface LoadingOrErrorProps {
  of: Pick<Loaded<unknown>, 'error' | 'reload'>
  /** The skeleton's shape. */
  shape?: Shape
  /** Further actions after an error. */
  children?: ComponentChildren
}

/** A skeleton while loading; after a failure, the error and a button to try again. */
export function LoadingOrError({ of, shape, children }: LoadingOrErrorProps) {
  if (!of.error) return <Skeleton shape={shape} />
  return (
    <div class="stack">
      <ErrorNotice error={of.error} />
      <div class="row">
        <button type="button" class="button" onClick={of.reload}>
          {t('Try again')}
        </button>
        {children}
      </div>
    </div>
  )
}

/** The same as the body of a card. */
export function LoadingBody(props: LoadingOrErrorProps) {
  return (
    <div class="body">
      <LoadingOrError {...props} />
    </div>
  )
}

/** The content once it is loaded; until then and after a failure, a card's body with the skeleton or the error. */
export function WhenLoaded({ loaded, children }: { loaded: Loaded<unknown>; children: ComponentChildren }) {
  if (loaded.data && !loaded.error) return <>{children}</>
  return <LoadingBody of={loaded} />
}

/** The rough shape of the content: lines of text, rows of a table, cards of a column, columns of a board, a chart. */
type Shape = 'lines' | 'rows' | 'cards' | 'columns' | 'chart'

const bones: Record<Shape, number> = { lines: 5, rows: 8, cards: 3, columns: 5, chart: 1 }

/** A placeholder while content is loading. */
function Skeleton({ shape = 'lines' }: { shape?: Shape | undefined }) {
  return (
    <div class={`skeleton ${shape}`} aria-busy="true">
      <span class="unseen" role="status">
        {t('Loading…')}
      </span>
      {Array.from({ length: bones[shape] }, (_, at) => (
        <div key={at} class="bone" />
      ))}
    </div>
  )
}
