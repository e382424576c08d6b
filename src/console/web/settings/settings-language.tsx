import { Segments } from '../parts/segments.tsx'
import { chooseLanguage, chosenLanguage, type Language, languages } from '../text/locale.ts'
import { t } from '../text/texts.ts'

/** Each language in its own words. */
const names: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

/** The language, which this browser remembers. The page is loaded again in it. */
export function LanguageSettings() {
  const choose = (language: Language | undefined) => {
    chooseLanguage(language)
    location.reload()
  }
  return (
    <section class="card" aria-label={t('Language')}>
      <header>
        <h2>{t('Language')}</h2>
      </header>
      <div class="body">
        <Segments label={t('Language of this browser')}>
          {[undefined, ...languages].map((each) => (
            <button
              key={each ?? ''}
              type="button"
              lang={each}
              aria-pressed={each === chosenLanguage()}
              onClick={() => choose(each)}
            >
              {each ? names[each] : t('As the browser')}
            </button>
          ))}
        </Segments>
      </div>
    </section>
  )
}
