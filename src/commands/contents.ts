import type { Command } from 'commander'
import { contentSettings } from '../config/content-settings.ts'
import { type Config, ConfigError, type Given, readConfig } from '../config.ts'
import type { Contents, ContentsSetting } from '../content/contents.ts'
import { directoryBeside, openContents } from '../content/open.ts'
import { databasePath } from '../store/directory.ts'
import { administer, type CommonOptions, dataOf, withSettings } from './program.ts'

type ContentConfig = Pick<Config, (typeof contentSettings)[number]>

/** The options of a command that copies content. */
export interface FilesOptions extends CommonOptions {
  withoutFiles?: boolean
}

/** An administrative command that uses the content of files. */
export function administerFiles(name: string, about: string): Command {
  return withSettings(administer(name, about), ['files'])
}

/** The content that such a command uses. Throws ConfigError. */
export function contentsOf(options: CommonOptions): Contents {
  const config = readConfig(contentSettings, options as unknown as Given, process.env)
  return openContents(contentsSetting(config, databasePath(dataOf(options))))
}

/** Where the content of the database at `path` is. Throws ConfigError. */
export function contentsSetting(
  {
    files,
    s3Endpoint,
    s3Region: region,
    s3AccessKeyId: accessKeyId,
    s3SecretAccessKey: secretAccessKey,
  }: ContentConfig,
  path: string,
): ContentsSetting {
  const directory = directoryBeside(path)
  if (!files) return { directory }
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError('--files needs KONTOR_S3_ACCESS_KEY_ID and KONTOR_S3_SECRET_ACCESS_KEY')
  }
  const endpoint = s3Endpoint ?? `https://s3.${region}.amazonaws.com`
  return { directory, s3: { ...files, endpoint, region, accessKeyId, secretAccessKey } }
}
