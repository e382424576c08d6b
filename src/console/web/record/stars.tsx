import { t } from '../text/texts.ts'

/** How a customer rates, from one star to five. */
export function Stars({ rating, setRating }: { rating: number; setRating: (rating: number) => void }) {
  return (
    <fieldset>
      <legend>{t('Stars')}</legend>
      <div class="row">
        {stars.map((each) => (
          <label class="check" key={each}>
            <input type="radio" name="rating" checked={each === rating} onChange={() => setRating(each)} />
            {each}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const stars = [1, 2, 3, 4, 5]
