# SPDX-License-Identifier: MIT
# For Nix: nix-build packaging, in the source tree.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "gpuscope";
  version = "1.0.0";
  src = pkgs.lib.cleanSource ./..;

  nativeBuildInputs = with pkgs; [ libseccomp meson ninja pkg-config python3 scdoc ];
  buildInputs = with pkgs; [ libdrm xorg.libpciaccess readline zlib zstd ];

  mesonFlags = [
    "-Dlive=enabled"
    "-Ddrm=enabled"
    "-Dgzip=enabled"
    "-Dzstd=enabled"
    "-Dseccomp=enabled"
    "-Dreadline=enabled"
    "-Dman=enabled"
    "-Dhtml=disabled"
    "-Dpython=enabled"
    "-Dcollect=true"
    "-Dtests=disabled"
  ];

  # The library opens these when an input needs them, by name.
  postFixup = with pkgs; ''
    patchelf --add-rpath ${lib.makeLibraryPath [ libdrm xorg.libpciaccess zlib zstd ]} \
      $out/lib/libgpuscope.so.1
  '';

  meta = with pkgs.lib; {
    description = "Decode registers, page tables and commands of Intel GPUs";
    license = licenses.mit;
    platforms = platforms.linux;
    mainProgram = "gpuscope";
  };
}
