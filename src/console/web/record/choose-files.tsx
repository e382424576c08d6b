import type { RefObject } from 'preact'
import { t } from '../text/texts.ts'
import { addFiles, type FileOwner } from './uploads.ts'

interface ChooseFilesProps extends FileOwner {
  /** The hidden control that opens the browser's dialog. */
  input: RefObject<HTMLInputElement | null>
  onAdded: () => void
}

/** Uploads files that are chosen for a record. */
export function ChooseFiles({ input, field, id, onAdded }: ChooseFilesProps) {
  return (
    <input
      ref={input}
      type="file"
      multiple
      hidden
      aria-label={t('Choose files')}
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])]
        currentTarget.value = ''
        void addFiles(files, { field, id }, onAdded)
      }}
    />
  )
}
