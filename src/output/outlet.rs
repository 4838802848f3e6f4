//! Tables whose rows are written while they are computed.

use super::folder::{Folder, OpenTable, Source};
use super::{Printer, format};
use crate::cli::args::{Format, OutputArgs};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::{Described, Table};
use bsq_api::tables::manifest::{FileFormat, field};
use bsq_api::tables::{Encoder, Piece, Writer};
use bsq_engine::results::Series;
use std::io::{self, Write};

/// The places that the rows of a table are written to: standard output or a file, and a folder.
pub struct Outlets {
    table: Table,
    outlets: Vec<Outlet>,
    folder: Option<Folder>,
    rows: usize,
}

/// A place that rows are written to.
struct Outlet {
    encoder: Encoder,
    format: FileFormat,
    writer: Writer<Sink>,
}

/// A file, or standard output.
enum Sink {
    Printer(Printer),
    File(OpenTable),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Printer(printer) => printer.write(bytes),
            Sink::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Printer(printer) => printer.flush(),
            Sink::File(file) => file.flush(),
        }
    }
}

impl Outlets {
    /// Opens the places of the arguments, of which the folder is open. `empty` is a batch without
    /// rows. What is printed for reading or as a JSON document is not written here.
    pub fn open(
        output: &OutputArgs,
        folder: Option<Folder>,
        table: Table,
        empty: &[Series],
    ) -> Result<Outlets> {
        let mut outlets = Vec::new();
        let mut open = |sink: Sink, format: FileFormat| -> Result<()> {
            let encoder = Encoder::new(&table, empty, true, format)?;
            let writer = Writer::begin(&encoder, sink)?;
            outlets.push(Outlet { encoder, format, writer });
            Ok(())
        };
        if let Some(folder) = &folder {
            open(Sink::File(folder.begin(&table, output.files())?), output.files())?;
        }
        if let Some(format) = format(output).filter(|format| format.is_of_rows()) {
            open(Sink::Printer(Printer::open(output)?), format.of_files())?;
        }
        Ok(Outlets { table, outlets, folder, rows: 0 })
    }

    /// The number of rows that are written together.
    pub fn batch_rows(&self) -> usize {
        self.outlets.iter().map(|outlet| outlet.encoder.batch_rows()).max().unwrap_or(1)
    }

    /// Whether some place takes batches of few rows only together.
    pub fn is_binary(&self) -> bool {
        let is_binary =
            |outlet: &Outlet| matches!(outlet.format, FileFormat::Parquet | FileFormat::Arrow);
        self.outlets.iter().any(is_binary)
    }

    /// Encodes a batch, on any thread.
    pub fn encode(&self, batch: Vec<Series>) -> Result<Pieces> {
        let rows = batch.first().map_or(0, |series| series.values.len());
        let Some((last, others)) = self.outlets.split_last() else {
            return Ok(Pieces { pieces: Vec::new(), rows });
        };
        let others = others.iter().map(|outlet| outlet.encoder.encode(batch.clone()));
        let mut pieces = others.collect::<Result<Vec<_>, _>>()?;
        pieces.push(last.encoder.encode(batch)?);
        Ok(Pieces { pieces, rows })
    }

    /// Appends an encoded batch.
    pub fn append(&mut self, pieces: Pieces) -> Result<()> {
        self.rows += pieces.rows;
        for (outlet, piece) in self.outlets.iter_mut().zip(pieces.pieces) {
            outlet.writer.append(piece)?;
        }
        Ok(())
    }

    /// Passes on what was appended.
    pub fn flush(&mut self) -> Result<()> {
        self.outlets.iter_mut().try_for_each(|outlet| Ok(outlet.writer.flush()?))
    }

    /// Completes the files. `command` computes the rows.
    pub fn finish(self, run: &Run, command: &str, rules: &Described) -> Result<()> {
        let Outlets { table, outlets, mut folder, rows } = self;
        for Outlet { format, writer, .. } in outlets {
            match (writer.finish()?, &mut folder) {
                (Sink::Printer(printer), _) => printer.finish()?,
                (Sink::File(file), Some(folder)) => {
                    let fields = table.columns.iter();
                    let fields = fields.map(|column| field(column, format, std::iter::empty()));
                    let source = Source { command, rules, table: &table };
                    folder.add(file, &source, rows, fields.collect());
                }
                (Sink::File(_), None) => unreachable!("the file is one of the folder"),
            }
        }
        folder.map_or(Ok(()), |folder| folder.finish(run))
    }
}

/// An encoded batch for every place.
pub struct Pieces {
    pieces: Vec<Piece>,
    rows: usize,
}

impl Format {
    /// Whether a table is printed as its rows alone.
    pub fn is_of_rows(self) -> bool {
        !matches!(self, Format::Table | Format::Json)
    }
}
