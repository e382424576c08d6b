import { find, matchedText } from '../data/find.ts'
import type { ChangeList, ListState } from '../data/list-state.ts'
import { cacheName } from '../data/record-names.ts'
import { useData, useSettled } from '../data/use-data.ts'
import { resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'

interface SearchOffersProps {
  of: string
  state: ListState
  onChange: ChangeList
}

const lettersMin = 2
const offersMax = '3'
/** What records are often searched by, although it is not a text of their own. */
const offered = ['organization', 'contact']

/** The search of a list finds texts of its records only. Organizations and contacts that the text fits are offered as filters. */
export function SearchOffers({ of, state, onChange }: SearchOffersProps) {
  const text = useSettled(state.q.trim())
  const { filters, fields } = resourceOf(of)
  const references = fields.filter(({ name, target }) => offered.includes(target ?? '') && filters.includes(name))
  const types = references.map(({ target }) => target).join()
  const isAsked = types !== '' && text.length >= lettersMin
  const loaded = useData(
    async (signal) => (isAsked ? find(text, { types, limit: offersMax }, signal) : []),
    [of, isAsked ? text : ''],
  )
  const found = state.q === '' ? [] : (loaded.data ?? [])
  if (found.length === 0) return null
  const filterBy = (type: string, id: string, title: string) => {
    cacheName(type, id, title)
    const { name } = references.find(({ target }) => target === type)!
    onChange({ q: '', filters: { ...state.filters, [name]: id } })
  }
  return (
    <fieldset class="row offers">
      <legend class="unseen">{t('Only for')}</legend>
      <span class="muted small" aria-hidden="true">
        {t('Only for')}
      </span>
      {found.map((each) => (
        <button
          key={each.id}
          type="button"
          class="button small"
          onClick={() => filterBy(each.type, each.id, each.title)}
        >
          <bdi>{each.title}</bdi>
          <Matched text={matchedText({ ...each, subtitle: null })} />
        </button>
      ))}
    </fieldset>
  )
}

function Matched({ text }: { text: string | undefined }) {
  return text === undefined ? null : <mark class="small">{text}</mark>
}
