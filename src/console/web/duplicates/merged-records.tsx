import { useEffect, useRef } from 'preact/hooks'
import { type Row, titleOf } from '../data/resource-views.ts'
import { itemTitle } from '../parts/item-text.ts'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { moment } from '../text/format.ts'
import { t } from '../text/texts.ts'

interface MergedRecordsProps {
  of: string
  rows: readonly Row[]
  survivor: Row
  /** The ids of the records that are left out. */
  left: readonly string[]
  onSurvivor: (id: string) => void
  onLeft: (ids: string[]) => void
}

/** The records that are merged, and which of them stays. Of more than two, some can be left out. */
export function MergedRecords({ of, rows, survivor, left, onSurvivor, onLeft }: MergedRecordsProps) {
  const { collections } = resourceOf(of)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current!.focus(), []) // the dialog was open before the records were loaded
  const mayLeave = rows.length - left.length > 2
  return (
    <fieldset>
      <legend>{t('Which one stays?')}</legend>
      {rows.map((row, at) => {
        const isLeft = left.includes(row.id)
        const title = titleOf(of, row)
        return (
          <div key={row.id} class={isLeft ? 'stack tight left' : 'stack tight'}>
            <label class="check">
              <input
                ref={at === 0 ? first : undefined}
                type="radio"
                name="survivor"
                checked={row === survivor}
                disabled={isLeft}
                onChange={() => onSurvivor(row.id)}
              />
              <strong>{title}</strong>
            </label>
            <p class="muted small">
              {t('Created {time}', { time: moment(row.created_at) })}
              <br />
              {t('Changed {time}', { time: moment(row.updated_at) })}
            </p>
            {Object.values(collections)
              .filter(({ as }) => row[as].length > 0)
              .map((each) => (
                <p key={each.as} class="small">
                  {row[each.as].map((item: Row) => itemTitle(each, item)).join(', ')}
                </p>
              ))}
            <a class="small" href={href(`${resourceOf(of).page}/${row.id}`)} target="_blank" rel="noopener">
              {t('Show')}
              <span class="unseen"> {t('{title} in a new window', { title })}</span>
            </a>
            {rows.length > 2 && (
              <label class="check small">
                <input
                  type="checkbox"
                  checked={isLeft}
                  disabled={!isLeft && !mayLeave}
                  onChange={() => onLeft(isLeft ? left.filter((id) => id !== row.id) : [...left, row.id])}
                />
                {t('Leave out')}
              </label>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
