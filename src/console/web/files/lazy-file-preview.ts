import { lazyPart } from '../parts/lazily.tsx'

/** `FilePreview` in a script of its own: most pages never show one. */
export const FilePreview = lazyPart(() => import('./file-preview.tsx').then((part) => part.FilePreview))
