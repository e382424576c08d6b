import { description, isAdmin } from '../session/session.ts'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'

interface ScopePickerProps {
  value: string[]
  onValue: (scopes: string[]) => void
  fault: string | undefined
}

/** Selects the scopes of a key: by resource, or all. */
export function ScopePicker({ value: scopes, onValue, fault }: ScopePickerProps) {
  const offered = description.value!.scopes
  const subjects = [
    ...new Set(offered.filter((scope) => !scope.startsWith('admin')).map((scope) => scope.split(':')[1]!)),
  ]
  const toggle = (scope: string) =>
    onValue(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope])
  const implied = (scope: string) =>
    scopes.includes('admin:all') || (!scope.endsWith(':all') && scopes.includes(`${scope.split(':')[0]}:all`))
  const box = (scope: string, verb: string, of: string) => (
    <label class="check">
      <input
        type="checkbox"
        checked={scopes.includes(scope) || implied(scope)}
        disabled={implied(scope)}
        onChange={() => toggle(scope)}
      />
      {verb}
      <span class="unseen"> {of}</span>
    </label>
  )
  return (
    <fieldset aria-invalid={fault !== undefined}>
      <legend>{t('Scopes')}</legend>
      <div class="scopes">
        {subjects.map((subject) => {
          const label = subject === 'all' ? t('All records') : word(subject)
          return (
            <div key={subject} class="row apart">
              <span>{label}</span>
              <span class="row">
                {box(`read:${subject}`, t('Read'), label)}
                {box(`write:${subject}`, t('Write'), label)}
              </span>
            </div>
          )
        })}
      </div>
      {isAdmin() && (
        <label class="check">
          <input type="checkbox" checked={scopes.includes('admin:all')} onChange={() => toggle('admin:all')} />
          {t('Everything, keys included')}
        </label>
      )}
      {fault && <span class="fault">{fault}</span>}
    </fieldset>
  )
}
