/**
 * Variables by which a program loads libraries and tables from other folders, or writes files as it
 * starts: with a folder of the workspace in them, it would run code of the workspace.
 * https://man7.org/linux/man-pages/man8/ld.so.8.html, `unsecvars.h` of glibc and
 * https://keith.github.io/xcode-man-pages/dyld.1.html
 */
export const LIBRARY_VARIABLES: readonly string[] = [
  ...["LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "LD_ORIGIN_PATH"],
  ...["LD_DEBUG", "LD_DEBUG_OUTPUT", "LD_PROFILE", "LD_PROFILE_OUTPUT"],
  ...["GCONV_PATH", "GETCONF_DIR", "LOCPATH", "NLSPATH", "GLIBC_TUNABLES", "MALLOC_TRACE"],
  ...["DYLD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "DYLD_FRAMEWORK_PATH"],
  ...["DYLD_FALLBACK_LIBRARY_PATH", "DYLD_FALLBACK_FRAMEWORK_PATH"],
  ...["DYLD_VERSIONED_LIBRARY_PATH", "DYLD_VERSIONED_FRAMEWORK_PATH"],
  ...["DYLD_ROOT_PATH", "DYLD_IMAGE_SUFFIX", "DYLD_PRINT_TO_FILE"],
];
