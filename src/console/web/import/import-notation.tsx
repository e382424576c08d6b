import type { Hint } from '../../../files/column-hints.ts'
import { t } from '../text/texts.ts'

interface ImportNotationProps {
  /** What nothing in the file decides. */
  undecided: ReadonlySet<keyof Hint>
  notation: Hint
  onNotation: (notation: Hint) => void
}

/** Asks how numbers and dates are written of which a file does not tell. */
export function ImportNotation({ undecided, notation, onNotation }: ImportNotationProps) {
  const shows = (name: keyof Hint) => undecided.has(name) || notation[name] !== undefined
  if (!shows('decimal') && !shows('order')) return null
  return (
    <div class="body stack tight">
      <p class="notice warn">
        {t(
          'Some numbers or dates of the file may mean two things. Rows with them are imported once you say how they are written.',
        )}
      </p>
      {shows('decimal') && (
        <label class="field">
          <span>{t('Numbers are written like')}</span>
          <select
            class="input"
            value={notation.decimal ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onNotation({ ...notation, decimal: (value || undefined) as Hint['decimal'] })
            }
          >
            <option value="">{t('Not decided')}</option>
            <option value=",">1.234,5</option>
            <option value=".">1,234.5</option>
          </select>
        </label>
      )}
      {shows('order') && (
        <label class="field">
          <span>{t('Dates are written like')}</span>
          <select
            class="input"
            value={notation.order ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onNotation({ ...notation, order: (value || undefined) as Hint['order'] })
            }
          >
            <option value="">{t('Not decided')}</option>
            <option value="dmy">{t('31/12/2026 (the day first)')}</option>
            <option value="mdy">{t('12/31/2026 (the month first)')}</option>
          </select>
        </label>
      )}
    </div>
  )
}
