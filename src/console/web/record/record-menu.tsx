import { ContactRound, Ellipsis, Merge, Trash2 } from 'lucide'
import { saveCard } from '../data/export-records.ts'
import { remove } from '../data/http.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { usePlace } from '../data/use-place.ts'
import { ask } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { notify } from '../parts/notes.tsx'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { about, t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'

interface RecordMenuProps {
  of: string
  row: Row
}

/** What is seldom done with a record. */
export function RecordMenu({ of, row }: RecordMenuProps) {
  const { page, mergeable, isCard, operations } = resourceOf(of)
  const canDelete = operations.includes('delete')
  const askDeletion = useDeletion(of, row)
  if (!mergeable && !isCard && !canDelete) return null
  return (
    <Menu label={t('More actions')} title={t('More actions')} icon={Ellipsis}>
      {(close) => {
        const closing = (act: () => void) => () => {
          close()
          act()
        }
        return (
          <>
            {mergeable && (
              <a href={href(`${page}/duplicates`)}>
                <Icon of={Merge} /> {t('Find duplicates')}
              </a>
            )}
            {isCard && (
              <button type="button" onClick={closing(() => exportCard(of, row))}>
                <Icon of={ContactRound} /> {t('Export vCard')}
              </button>
            )}
            {canDelete && (
              <button type="button" class="danger" onClick={closing(askDeletion)}>
                <Icon of={Trash2} /> {t('Delete')}
              </button>
            )}
          </>
        )
      }}
    </Menu>
  )
}

function exportCard(of: string, row: Row): void {
  saveCard(of, row).catch(({ message }) => notify(t('Not exported: {message}', { message })))
}

function useDeletion(of: string, row: Row): () => void {
  const { label, path, page } = resourceOf(of)
  const { route } = usePlace()
  return () =>
    ask({
      title: t('Delete {title}?', { title: titleOf(of, row) }),
      body: about(
        'The {noun} is removed from all lists. Records that refer to it stay. It can be restored from the trash.',
        label,
      ),
      verb: t('Delete'),
      async run() {
        notifyChange(t('{name} deleted.', { name: label }), await remove(`/${path}/${row.id}`))
        route(href(page), true) // the Back button must not lead to the deleted record
      },
    })
}
