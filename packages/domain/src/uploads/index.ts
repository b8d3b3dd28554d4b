/** The public exports of this module. */
export * from "./FileRecognition.ts"
export * from "./FilesUnavailable.ts"
export * from "./FileStore.ts"
export * from "./Upload.ts"
export * from "./UploadRepository.ts"
export * from "./Uploads.ts"
