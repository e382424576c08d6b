import { Dialog } from '../parts/dialog.tsx'
import { areKeysOn, turnKeys } from '../parts/key-presses.ts'
import { t } from '../text/texts.ts'
import { closePanel } from './open-panel.ts'

interface Key {
  keys: readonly string[]
  text: string
}

const groups: readonly { label: string; keys: readonly Key[] }[] = [
  {
    label: t('On every page'),
    keys: [
      { keys: [t('Ctrl+K')], text: t('Search and commands') },
      { keys: [t('Ctrl+Z')], text: t('Undo the latest change') },
      { keys: ['c'], text: t('Create a record') },
      { keys: ['l'], text: t('Log call') },
      { keys: ['/'], text: t('Search this page, or everything') },
      { keys: ['?'], text: t('Show the keys') },
    ],
  },
  {
    label: t('In a list'),
    keys: [
      { keys: ['j', 'k'], text: t('Next and previous row') },
      { keys: ['←', '→', '↑', '↓'], text: t('Next cell') },
      { keys: ['x', t('Shift+X')], text: t('Select the row, or up to it') },
      { keys: ['e'], text: t('Edit the cell') },
      { keys: ['Enter'], text: t('Open the record') },
      { keys: ['Escape'], text: t('Clear the selection') },
    ],
  },
  {
    label: t('On the handle of a deal'),
    keys: [
      { keys: [t('Space')], text: t('Pick the deal up, or drop it') },
      { keys: ['←', '→'], text: t('Choose the stage') },
      { keys: ['Escape'], text: t('Leave the deal where it was') },
    ],
  },
]

/** All keys of the console. Those that are single letters or signs can be turned off. */
export function KeysDialog() {
  return (
    <Dialog title={t('Keyboard shortcuts')} onClose={closePanel}>
      <div class="key-groups">
        {groups.map(({ label, keys }) => (
          <section key={label} aria-label={label}>
            <h3>{label}</h3>
            <dl>
              {keys.map((each) => (
                <div key={each.text}>
                  <dt>
                    {each.keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{each.text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label class="check">
        <input type="checkbox" checked={areKeysOn.value} onChange={(event) => turnKeys(event.currentTarget.checked)} />
        {t('Use single letters and signs as keys in this browser')}
      </label>
    </Dialog>
  )
}
