import { packImage } from '../sandbox/packed-image.ts'
import { madeImages } from './sandbox-images.ts'

/** The images of a sandbox as files inside the program. Used by the build only. */
export async function packImages(): Promise<[name: string, content: ReturnType<typeof packImage>][]> {
  return [
    ['sandbox-empty', packImage(await madeImages.empty())],
    ['sandbox-demo', packImage(await madeImages.demo())],
  ]
}
